import { randomBytes } from "node:crypto";
import { z } from "zod";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";

const DAY_MS = 86_400_000;
const MOST_OF_ONE = 50;

const Wanted = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "name: say what it is for")
    .max(100, "name: at most 100 characters")
    .regex(/^[^\p{C}]*$/u, "name: no control characters"),
  scope: z.enum(["read", "write"], "scope: read, or write"),
  days: z.coerce.number("days: a number").int("days: whole days").min(1, "days: at least 1").max(365, "days: at most 365"),
});

/** Makes a token for oneself, with one's own rights at the time of each call. The token is in the answer and nowhere else. */
export async function createToken(
  deps: Pick<Deps, "store" | "clock" | "hash" | "newId">,
  request: { readonly actor: PersonView; readonly wanted: unknown },
): Promise<Result<{ readonly token: string; readonly name: string; readonly expiresAt: Date }, Refusal>> {
  const read = Wanted.safeParse(request.wanted);
  if (!read.success)
    return err(
      refusal(
        "invalid",
        "The token cannot be made.",
        read.error.issues.map(({ message }) => message),
      ),
    );
  const now = await deps.clock.now();
  const standing = (await deps.store.tokens(request.actor.id)).filter(
    (one) => one.revokedAt === null && (one.expiresAt === null || one.expiresAt > now),
  );
  if (standing.length >= MOST_OF_ONE)
    return err(refusal("conflict", `${request.actor.name} has ${standing.length} tokens that open something; revoke one first.`));
  const token = `clr_${randomBytes(32).toString("base64url")}`;
  const { name, scope, days } = read.data;
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const scopes = scope === "write" ? ["read", "write"] : ["read"];
  await deps.store.createToken(
    { id: deps.newId(), personId: request.actor.id, name, scopes, createdAt: now, expiresAt },
    deps.hash.text(token),
    request.actor.id,
  );
  return ok({ token, name, expiresAt });
}

/** Ends a token of one's own; an administrator ends anybody's. */
export async function revokeToken(
  deps: Pick<Deps, "store" | "clock">,
  request: { readonly actor: PersonView; readonly id: string },
): Promise<Result<{ readonly name: string }, Refusal>> {
  const { actor, id } = request;
  const found = (await deps.store.tokens(actor.roles.includes("admin") ? null : actor.id)).find((one) => one.id === id);
  if (found === undefined) return err(refusal("not_found", "There is no such token of yours."));
  if (!(await deps.store.revokeToken(id, actor.id, await deps.clock.now())))
    return err(refusal("conflict", `"${found.name}" is revoked already.`));
  return ok({ name: found.name });
}
