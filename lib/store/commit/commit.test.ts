import { afterAll, beforeAll, expect, it } from "vitest";
import type { CommandKey, TargetId } from "@/lib/core/kernel/ids";
import { aNewCheck, aStep, stepsToAccepted } from "@/lib/testing/store-contract-moves";
import { at, NOW } from "@/lib/testing/a-moment";
import { aNewChange, aRecord, CHANGE, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";
import { aLayout } from "@/lib/testing/a-layout";
import type { ChangeId } from "@/lib/core/kernel/ids";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

const snapshot = async (changeId = CHANGE) => {
  const s = await record.store.loadSnapshot(changeId);
  if (s === null) throw new Error("no snapshot");
  return s;
};
const other = "CH-9" as ChangeId;

it("a commit at a version that is not the present one is a conflict and writes nothing", async () => {
  const before = await snapshot();
  expect(await commitMoves(record, [{ move: "ask_canaries", because: "" }], { version: before.change.version + 1 })).toEqual({
    ok: false,
    error: { code: "conflict" },
  });
  expect(await snapshot()).toEqual({ ...before, targets: expect.anything() as unknown });
});

it("every commit raises the version and asks for the next look in its own transaction", async () => {
  const before = await snapshot();
  expect(await commitMoves(record, [{ move: "ask_canaries", because: "asked" }])).toEqual({
    ok: true,
    value: { version: before.change.version + 1 },
  });
  const after = await snapshot();
  expect(after.change.canariesAskedFor).toBe(true);
  expect(after.wakeSeq).toBe(before.wakeSeq + 1);
  const queued = await record.sql("select 1 from dbos.workflow_status where workflow_uuid = $1", [`tick/${CHANGE}/${after.wakeSeq}`]);
  expect(queued).toHaveLength(1);
});

it("an empty tick says that it looked and asks for nothing (R7.4)", async () => {
  const before = await snapshot();
  await commitMoves(record, [], { events: [], ticked: { seen: before.wakeSeq, lookAgainAt: at(5) }, wantedReads: ["slurm"] });
  expect((await snapshot()).wakeSeq).toBe(before.wakeSeq);
  expect(await record.store.unseenWake(CHANGE, before.wakeSeq)).toBeNull();
  expect(await record.store.unseenWake(CHANGE, before.wakeSeq + 1)).toEqual({ seen: before.wakeSeq });
  expect(await record.sql("select wanted_until from source_reads where source = 'slurm'")).toEqual([{ wanted_until: at(5) }]);
});

it("the first target under way takes the cluster's hand, another change waits for it, the last gives it back (R6.5)", async () => {
  const layout = aLayout();
  await record.store.createChange(aNewChange({ id: other, layout: { ...layout, batches: layout.batches.slice(1) } }));
  expect(await commitMoves(record, [aStep(1, "waiting", "checking")])).toMatchObject({ ok: true });
  expect((await snapshot(other)).handOf).toBe(CHANGE);
  expect((await snapshot(other)).others).toEqual([{ name: "gpu001", gpus: 8, because: "other_change" }]);
  const taken = await commitMoves(record, [aStep(5, "waiting", "checking", other)], { changeId: other });
  expect(taken).toEqual({ ok: false, error: { code: "conflict" } });
  const before = (await snapshot(other)).wakeSeq;
  await commitMoves(record, [aStep(1, "checking", "withheld")]);
  expect(await snapshot(other)).toMatchObject({ handOf: null, wakeSeq: before + 1 });
  expect(await commitMoves(record, [aStep(5, "waiting", "checking", other)], { changeId: other })).toMatchObject({ ok: true });
  await commitMoves(record, [aStep(5, "checking", "withheld", other)], { changeId: other });
});

it("steps, deadlines and the beginning of the update are kept", async () => {
  await commitMoves(record, [aStep(2, "waiting", "checking"), aStep(2, "checking", "saving")]);
  await commitMoves(record, [aStep(2, "saving", "protecting"), aStep(2, "protecting", "draining"), aStep(2, "draining", "updating")], {
    at: at(3),
  });
  const target = (await snapshot()).targets.find((t) => t.name === "gpu002");
  expect(target).toMatchObject({ step: "updating", updateBegan: true, since: at(3), deadlineAt: at(30), because: "draining to updating" });
  expect(target?.board?.now.host_report.verdict).toBe("unknown");
});

it("commands are planned and enqueued under their own key, once", async () => {
  const key = `${CHANGE}/gpu002/probe/1` as CommandKey;
  await commitMoves(record, [], {
    commands: [
      {
        key,
        kind: "probe",
        targetId: targetOf(2) as TargetId,
        generation: 1,
        deadlineAt: at(5),
        because: "read",
        request: { kind: "probe", node: "gpu002", components: ["gpu_driver"] },
      },
    ],
  });
  expect((await snapshot()).commands).toMatchObject([{ key, state: "planned", because: "read" }]);
  expect(await record.sql("select queue_name from dbos.workflow_status where workflow_uuid = $1", [key])).toEqual([
    { queue_name: "commands" },
  ]);
});

it("a manual change's commands are planned and never enqueued (R9.9)", async () => {
  await record.sql("update changes set execution = 'manual' where id = $1", [other]);
  const key = `${other}/gpu006/probe/1` as CommandKey;
  const request = { kind: "probe" as const, node: "gpu006", components: [] };
  const command = {
    key,
    kind: "probe" as const,
    targetId: `${other}:gpu006` as TargetId,
    generation: 1,
    deadlineAt: at(5),
    because: "",
    request,
  };
  await commitMoves(record, [], { changeId: other, commands: [command] });
  expect(await record.sql("select 1 from dbos.workflow_status where workflow_uuid = $1", [key])).toEqual([]);
  await commitMoves(record, [{ move: "command_done", key, outcome: { result: "done", because: "by hand" }, byId: "AK" as never }], {
    changeId: other,
  });
  expect(await record.sql("select state, finished_at, worker from commands where key = $1", [key])).toEqual([
    { state: "succeeded", finished_at: NOW, worker: "AK" },
  ]);
});

it("a pass that rests on nothing is refused by the database, one on the record itself keeps that as evidence (R2.3)", async () => {
  const check = aNewCheck({ targetId: targetOf(2) as TargetId });
  const judged = { verdict: "pass" as const, reason: "as_expected" as const, because: "ok", facts: {}, rests: { observations: [] } };
  await expect(
    commitMoves(record, [
      { move: "check", check },
      { move: "judge", checkId: check.id, judged },
    ]),
  ).rejects.toThrow(/without evidence/);
  await commitMoves(record, [
    { move: "check", check },
    { move: "judge", checkId: check.id, judged: { ...judged, rests: { observations: [], record: '{"window":"open"}' } } },
  ]);
  expect((await snapshot()).checks).toMatchObject([{ id: check.id, verdict: "pass", reason: "as_expected", judgedAt: NOW }]);
  const [verdict] = await record.sql<{ sha: string }>("select encode(evidence_sha, 'hex') as sha from verdicts where check_id = $1", [
    check.id,
  ]);
  expect(Buffer.from((await record.store.evidence(verdict?.sha ?? ""))?.bytes ?? []).toString()).toBe('{"window":"open"}');
});

it("a check read again has no verdict until new evidence, and its old verdict stays in the record", async () => {
  const check = aNewCheck({ targetId: targetOf(2) as TargetId });
  await commitMoves(record, [{ move: "check_again", checkId: check.id, settlesAt: at(1), dueAt: at(9), because: "read again" }]);
  expect((await snapshot()).checks).toMatchObject([{ verdict: null, reason: null, because: "read again", settlesAt: at(1), dueAt: at(9) }]);
  const judged = {
    verdict: "unresolved" as const,
    reason: "no_data" as const,
    because: "nothing came",
    facts: {},
    rests: { observations: [] },
  };
  await commitMoves(record, [{ move: "judge", checkId: check.id, judged }]);
  expect((await snapshot()).checks).toMatchObject([{ verdict: "unresolved", reason: "no_data" }]);
  expect(await record.sql("select verdict from verdicts where check_id = $1 order by id", [check.id])).toEqual([
    { verdict: "pass" },
    { verdict: "unresolved" },
  ]);
});

it("not applicable is said beforehand or not at all (R2.1)", async () => {
  const check = aNewCheck({ name: "fabric", notApplicableBecause: "no fabric here" });
  await commitMoves(record, [{ move: "check", check }]);
  expect((await snapshot()).checks.find((c) => c.name === "fabric")).toMatchObject({
    verdict: "not_applicable",
    because: "no fabric here",
  });
});

it("R4.5: what the layers of a node say is there for the second reader after its acceptance too, and not before it was begun", async () => {
  for (const move of stepsToAccepted(4)) await commitMoves(record, [move]);
  const { targets } = await snapshot();
  const board = (name: string) => targets.find((t) => t.name === name)?.board;
  expect(targets.find((t) => t.name === "gpu004")?.step).toBe("accepted");
  expect(Object.keys(board("gpu004")?.now ?? {})).toEqual(["cluster_definition", "vmss_model", "instance_model", "host_report"]);
  expect(board("gpu003")).toBeNull();
});
