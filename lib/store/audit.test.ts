import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf, verifyChain } from "@/lib/core/audit/verify";
import type { PersonId, Sha256, TargetId } from "@/lib/core/kernel/ids";
import { aHash } from "@/lib/testing/a-hash";
import { aLayout } from "@/lib/testing/a-layout";
import { at, NOW } from "@/lib/testing/a-moment";
import { aPlan } from "@/lib/testing/a-plan";
import { aNewCheck } from "@/lib/testing/store-contract-moves";
import { aRecord, CHANGE, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";

const RECORD = '{"windows":["22:00"]}';
const hashing = { text: aHash, bytes: (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex") as Sha256 };

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
  const check = aNewCheck({ targetId: targetOf(1) as TargetId });
  const judged = {
    verdict: "pass" as const,
    reason: "as_expected" as const,
    because: "",
    facts: {},
    rests: { observations: [], record: RECORD },
  };
  await commitMoves(
    record,
    [
      { move: "check", check },
      { move: "judge", checkId: check.id, judged },
    ],
    {
      events: [
        { action: "first", targetId: null, because: "hostile \0 \uD800 text", facts: { n: 1 } },
        { action: "second", targetId: targetOf(1), because: "", facts: {} },
      ],
    },
  );
});
afterAll(() => record.close());

async function verify(chain: string) {
  const events = await record.store.auditEvents(chain);
  const refs = new Set(events.flatMap((event) => [...(rowsOf(event.body)?.keys() ?? [])]));
  return verifyChain(chain, events, await record.store.rowHashes([...refs]), hashing);
}

/** Someone with the owner's rights, who switches triggers and constraints off. */
async function tamper(statement: string): Promise<void> {
  const client = await record.pool.connect();
  try {
    await client.query("alter table evidence drop constraint if exists evidence_hash");
    await client.query("alter table audit_events drop constraint if exists audit_hash");
    await client.query("set session_replication_role = replica");
    await client.query(statement);
    await client.query("set session_replication_role = origin");
  } finally {
    client.release();
  }
}

it("an untouched chain verifies with every row it answers for (R12.3)", async () => {
  const verdict = await verify(CHANGE);
  expect(verdict).toMatchObject({ intact: true, events: 3, broken: null });
  expect(verdict.rows).toBeGreaterThan(18);
  const events = await record.store.auditEvents(CHANGE);
  expect(events.map((event) => [event.seq, event.action])).toEqual([
    [1, "change.created"],
    [2, "first"],
    [3, "second"],
  ]);
});

it("it still verifies after a revision took rows away and hints and attempts changed", async () => {
  const plan = aPlan({ title: "Smaller" });
  const layout = aLayout({ batches: aLayout().batches.slice(1) });
  const revision = {
    move: "revision" as const,
    revision: 2,
    yaml: "",
    plan,
    layout,
    fingerprint: aHash("2"),
    standingFingerprint: aHash("s2"),
    byId: "AK" as PersonId,
  };
  await commitMoves(record, [revision]);
  const snapshot = await record.store.loadSnapshot(CHANGE);
  const nextAction = { by: "nobody" as const, because: "" };
  await record.store.ticked({
    changeId: CHANGE,
    seen: snapshot?.wakeSeq ?? 0,
    lookAgainAt: NOW,
    wantedReads: [],
    nextAction,
    tally: { Accepted: 1 },
  });
  // gpu001 is spoken of by a check, so it stays and is left out; what is planned now comes behind its batch.
  expect(new Map(snapshot?.targets.map((t) => [t.name, `${t.batch} ${t.step}`])).get("gpu001")).toBe("1 skipped");
  expect(snapshot?.batches.map((b) => b.number)).toEqual([1, 4, 5]);
  expect(snapshot?.targets).toHaveLength(9);
  expect(await verify(CHANGE)).toMatchObject({ intact: true });
});

it("a refused action is kept in the chain of its change, else in that of the site", async () => {
  const entry = { action: "plan.approved.refused", targetId: null, because: "The author cannot approve their own plan.", facts: {} };
  await record.store.refused(CHANGE, "AK" as PersonId, NOW, entry);
  await record.store.refused("no such change", "AK" as PersonId, NOW, entry);
  expect((await record.store.auditEvents(CHANGE)).at(-1)).toMatchObject({ action: "plan.approved.refused", actor: "AK" });
  expect(await record.store.auditChains()).toEqual([CHANGE, "site"]);
  expect(await verify("site")).toMatchObject({ intact: true, events: 1 });
});

it.each([
  ["one byte of evidence", `update evidence set bytes = set_byte(bytes, 3, get_byte(bytes, 3) # 1)`, /evidence\//],
  ["a verdict", "update verdicts set because = 'better'", /verdicts\//],
  ["the step of a node", "update targets set step = 'accepted' where name = 'gpu005'", /targets\/CH-1:gpu005/],
  ["the copy of a verdict", "update checks set verdict = 'fail'", /checks\//],
  ["an audit line", "update audit_events set because = 'nothing', body = replace(body, 'hostile', 'friendly') where seq = 2", /entry 2/],
])("tampering with %s is found, whoever does it (D17)", async (_what, statement, names) => {
  const backup = await record.store.auditEvents(CHANGE);
  expect(backup.length).toBeGreaterThan(0);
  await tamper(statement);
  const verdict = await verify(CHANGE);
  expect(verdict.intact).toBe(false);
  expect(verdict.broken?.what).toMatch(names);
  await tamper(UNDO[statement] ?? "select 1");
  expect(await verify(CHANGE)).toMatchObject({ intact: true });
});

const UNDO: Record<string, string> = {
  "update evidence set bytes = set_byte(bytes, 3, get_byte(bytes, 3) # 1)":
    "update evidence set bytes = set_byte(bytes, 3, get_byte(bytes, 3) # 1)",
  "update verdicts set because = 'better'": "update verdicts set because = ''",
  "update targets set step = 'accepted' where name = 'gpu005'": "update targets set step = 'waiting' where name = 'gpu005'",
  "update checks set verdict = 'fail'": "update checks set verdict = 'pass'",
  "update audit_events set because = 'nothing', body = replace(body, 'hostile', 'friendly') where seq = 2":
    "update audit_events set body = replace(body, 'friendly', 'hostile') where seq = 2",
};

it("recent events: what people wrote and what tells, newest first, not what came before", async () => {
  const { store } = record;
  await store.refused("site", "MR" as PersonId, at(10), { action: "plan.approved", targetId: null, because: "own work", facts: {} });
  const found = await store.recentEvents(at(10), 5);
  expect(found[0]).toMatchObject({ chain: "site", actor: "MR", because: "own work" });
  expect(await store.recentEvents(at(11), 5)).toEqual([]);
  expect(
    (await store.recentEvents(at(-100_000), 200)).filter(({ actor, action }) => actor === "worker" && action.startsWith("commands.")),
  ).toEqual([]);
});

it("the head of a chain is its last line, and a chain that is not has none", async () => {
  const last = (await record.store.auditEvents(CHANGE)).at(-1);
  expect(await record.store.auditHead(CHANGE)).toEqual({ seq: last?.seq, hash: last?.hash });
  expect(await record.store.auditHead("CH-404")).toBeNull();
});
