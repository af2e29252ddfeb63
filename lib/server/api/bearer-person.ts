import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "@/lib/services/deps";
import { problem } from "./problem";

/** Tokens are long and random: they are looked up by their hash, and never kept or logged. */
const TOKEN = /^[\x21-\x7e]{16,512}$/;

/** The person behind a bearer token, or the refusal. A token with the scope `read` may only read. */
export async function bearerPerson(deps: Pick<Deps, "store" | "clock" | "hash">, request: Request): Promise<PersonView | Response> {
  const [scheme, token, ...rest] = (request.headers.get("authorization") ?? "").trim().split(/\s+/);
  const missing = () => {
    const response = problem(
      401,
      "unauthenticated",
      "Who are you?",
      "Send a token: Authorization: Bearer TOKEN. Tokens are made by an administrator.",
    );
    response.headers.set("www-authenticate", 'Bearer realm="clearance"');
    return response;
  };
  if (scheme?.toLowerCase() !== "bearer" || token === undefined || rest.length > 0 || !TOKEN.test(token)) return missing();
  const found = await deps.store.personByToken(deps.hash.text(token), await deps.clock.now());
  if (found === null) return missing();
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads && !found.scopes.includes("write")) return problem(403, "not_allowed", "Not allowed", "This token may only read.");
  return found.person;
}
