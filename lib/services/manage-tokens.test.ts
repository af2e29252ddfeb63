import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { PersonView } from "@/lib/ports/rows";
import { hashing } from "@/lib/wiring";
import { aRecord, type TestRecord } from "@/lib/testing/store-contract-record";
import { createToken, revokeToken } from "./manage-tokens";
import type { Deps } from "./deps";

let record: TestRecord;
let deps: Pick<Deps, "store" | "clock" | "hash" | "newId">;
const person = async (id: string): Promise<PersonView> => (await record.store.person(id as PersonId))!;
beforeAll(async () => {
  record = await aRecord();
  deps = { store: record.store, clock: record.store.clock, hash: hashing, newId: () => randomUUID() };
});
afterAll(() => record.close());

it("a token opens what its person may, once it is made; only its hash is kept, and it ends when revoked (R12.3)", async () => {
  const made = await createToken(deps, { actor: await person("AK"), wanted: { name: "pipeline", scope: "write", days: "30" } });
  if (!made.ok) throw new Error(made.error.because);
  const { token } = made.value;
  const now = await deps.clock.now();
  const opens = async () => (await record.store.personByToken(hashing.text(token), now))?.person.id ?? null;
  expect(await opens()).toBe("AK");
  expect(JSON.stringify(await record.sql("select * from api_tokens, audit_events"))).not.toContain(token);
  const [kept] = await record.store.tokens("AK" as PersonId);
  expect(kept).toMatchObject({ name: "pipeline", scopes: ["read", "write"], revokedAt: null });
  expect(await revokeToken(deps, { actor: await person("MR"), id: kept!.id })).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(await revokeToken(deps, { actor: await person("AK"), id: kept!.id })).toEqual({ ok: true, value: { name: "pipeline" } });
  expect(await opens()).toBeNull();
  expect(await revokeToken(deps, { actor: await person("AK"), id: kept!.id })).toMatchObject({ ok: false, error: { code: "conflict" } });
  expect((await record.store.auditEvents("site")).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["token.created", "token.revoked"]),
  );
});

it.each([
  [{ name: "", scope: "read", days: 1 }, /name: say what it is for/],
  [{ name: "x".repeat(101), scope: "read", days: 1 }, /name: at most 100/],
  [{ name: "a\nb", scope: "read", days: 1 }, /no control characters/],
  [{ name: "a", scope: "admin", days: 1 }, /scope/],
  [{ name: "a", scope: "read", days: 366 }, /at most 365/],
  [{ name: "a", scope: "read", days: "soon" }, /days: a number/],
  [null, /./],
])("a token that is asked for wrongly is not made: %j", async (wanted, because) => {
  const made = await createToken(deps, { actor: await person("LT"), wanted });
  expect(made).toMatchObject({ ok: false, error: { code: "invalid", places: [expect.stringMatching(because)] } });
  expect(await record.store.tokens("LT" as PersonId)).toEqual([]);
});
