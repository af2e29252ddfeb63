import { afterAll, beforeAll, expect, it } from "vitest";
import type { CommandKey, Sha256, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { NewEvidence } from "@/lib/ports/store";
import { aHash } from "@/lib/testing/a-hash";
import { at, NOW } from "@/lib/testing/a-moment";
import { aRecord, CHANGE, CLUSTER, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

const evidence = (text: string): NewEvidence => ({ sha256: aHash(text), mediaType: "text/plain", bytes: Buffer.from(text), redactions: 0 });
let nth = 0;
async function aPlannedCommand(n = 1): Promise<CommandKey> {
  nth += 1;
  const key = `${CHANGE}/gpu00${n}/probe.${nth}/1` as CommandKey;
  const request = { kind: "probe" as const, node: `gpu00${n}`, components: [] };
  await commitMoves(record, [], {
    commands: [{ key, kind: "probe", targetId: targetOf(n) as TargetId, generation: 1, deadlineAt: at(5), because: "", request }],
  });
  return key;
}
const end = (key: CommandKey, attempt: number, more: object = {}) => ({
  key,
  attempt,
  at: at(1),
  state: "succeeded" as const,
  outcome: { result: "done" as const, because: "read" },
  evidence: [],
  evidenceSha: null,
  observations: [],
  boots: [],
  run: null,
  ...more,
});

it("a claim says everything that is needed to perform it, and counts the attempt", async () => {
  const key = await aPlannedCommand();
  expect(await record.store.claimCommand(key, "w1", NOW)).toMatchObject({
    key,
    kind: "probe",
    changeId: CHANGE,
    clusterId: CLUSTER,
    targetId: targetOf(1),
    attempt: 1,
    request: { node: "gpu001" },
    handle: null,
    startedAt: NOW,
    hostEpoch: 0,
    bootId: null,
    execution: "automatic",
  });
  expect(await record.store.claimCommand(key, "w2", at(1))).toMatchObject({ attempt: 2, startedAt: NOW });
});

it("an attempt that somebody else took over records nothing but its evidence", async () => {
  const key = await aPlannedCommand();
  await record.store.claimCommand(key, "w1", NOW);
  await record.store.claimCommand(key, "w2", NOW);
  expect(await record.store.finishCommand(end(key, 1, { evidence: [evidence("late output")] }))).toBe("late");
  expect(await record.store.evidence(aHash("late output"))).toMatchObject({ mediaType: "text/plain" });
  expect(await record.sql("select late, finished_at from commands where key = $1", [key])).toEqual([{ late: true, finished_at: null }]);
  expect(await record.store.finishCommand(end(key, 2))).toBe("recorded");
  expect(await record.store.finishCommand(end(key, 2))).toBe("late");
  expect(await record.store.claimCommand(key, "w3", NOW)).toBeNull();
});

it("the end of a command wakes its change and is one line of the chain that answers for its rows", async () => {
  const key = await aPlannedCommand();
  await record.store.claimCommand(key, "w1", NOW);
  const before = await record.store.loadSnapshot(CHANGE);
  await record.store.finishCommand(end(key, 1, { evidence: [evidence("output")], evidenceSha: aHash("output") }));
  const after = await record.store.loadSnapshot(CHANGE);
  expect(after?.wakeSeq).toBe((before?.wakeSeq ?? 0) + 1);
  const line = (await record.store.auditEvents(CHANGE)).at(-1);
  expect(line).toMatchObject({ action: "command.ended", targetId: targetOf(1), because: "read" });
  expect(Object.keys((JSON.parse(line?.body ?? "") as { rows: object }).rows)).toEqual([`commands/${key}`, `evidence/${aHash("output")}`]);
});

it.each([
  ["ERROR", 1],
  ["SUCCESS", 0],
] as const)("R9.4: a start whose run ended as %s is swept %i times, though its handle is stored", async (status, times) => {
  const key = await aPlannedCommand();
  await record.store.claimCommand(key, "w1", NOW);
  const handle = { is: "reboot" as const, host: "gpu001", bootId: "boot-1", bootedAt: null };
  expect(await record.store.storeHandle(key, 1, handle)).toBe("stored");
  await record.sql("update dbos.workflow_status set status = $2 where workflow_uuid = $1", [key, status]);
  // Once more finds it in the queue already.
  for (const minutes of [2, 3]) await record.store.sweep(at(minutes));
  expect(await record.sql("select 1 from dbos.workflow_status where starts_with(workflow_uuid, $1 || '~')", [key])).toHaveLength(times);
  await record.store.claimCommand(key, "w1", at(3));
  expect(await record.store.finishCommand(end(key, 2))).toBe("recorded");
});

it("a long start stays open and is found again by its handle; a lost attempt cannot store one", async () => {
  const key = await aPlannedCommand(2);
  const handle = { is: "folder" as const, host: "gpu002", folder: "/var/lib/clearance/x", bootId: null };
  await record.store.claimCommand(key, "w1", NOW);
  expect([await record.store.ownsCommand(key, 1), await record.store.ownsCommand(key, 2)]).toEqual([true, false]);
  expect(await record.store.storeHandle(key, 2, handle)).toBe("late");
  expect(await record.store.storeHandle(key, 1, handle)).toBe("stored");
  expect(await record.store.openHandles(CLUSTER)).toMatchObject([{ key, attempt: 1, handle }]);
  await record.store.finishCommand(end(key, 1));
  expect(await record.store.openHandles(CLUSTER)).toEqual([]);
  expect(await record.store.ownsCommand(key, 1)).toBe(false);
});

it("begun five times and never finished, nobody can say what it did (R9.4)", async () => {
  const key = await aPlannedCommand();
  for (let i = 0; i < 5; i += 1) await record.store.claimCommand(key, "w", NOW);
  expect(await record.store.claimCommand(key, "w", NOW)).toBeNull();
  expect(await record.sql("select state, outcome ->> 'result' as result from commands where key = $1", [key])).toEqual([
    { state: "unknown", result: "unknown" },
  ]);
});

it("output with a NUL and half a surrogate is kept, with both replaced", async () => {
  const key = await aPlannedCommand();
  await record.store.claimCommand(key, "w1", NOW);
  const outcome = { result: "failed" as const, because: "a\0b\uD800c", said: "\0" };
  expect(await record.store.finishCommand(end(key, 1, { state: "failed", outcome }))).toBe("recorded");
  const [row] = await record.sql<{ because: string }>("select outcome ->> 'because' as because from commands where key = $1", [key]);
  expect(row?.because).toBe("a\uFFFDb\uFFFDc");
});

it("a new boot id ends older evidence, and what was read under it counts for the new epoch (R1.11)", async () => {
  const subjectId = (await record.store.subjects(CLUSTER)).find((s) => s.name === "gpu001")?.subjectId ?? (0 as SubjectId);
  const probe = async (bootId: string) => {
    const key = await aPlannedCommand();
    await record.store.claimCommand(key, "w1", NOW);
    const observation = {
      subjectId,
      field: "host_report",
      component: "gpu_driver",
      source: "ssh",
      kind: "value",
      text: bootId,
      value: null,
      hostEpoch: 0,
      modelEpoch: 0,
      observedAt: NOW,
      request: "r",
      observer: "w",
      evidenceSha: null as Sha256 | null,
      changeId: CHANGE,
    };
    await record.store.finishCommand(end(key, 1, { observations: [observation], boots: [{ subjectId, bootId, bootedAt: null }] }));
    return (await record.store.subjects(CLUSTER)).find((s) => s.name === "gpu001");
  };
  expect(await probe("boot-a")).toMatchObject({ hostEpoch: 0, bootId: "boot-a" });
  expect(await probe("boot-b")).toMatchObject({ hostEpoch: 1, bootId: "boot-b" });
  const latest = await record.store.latest(CLUSTER, "ssh");
  expect(latest.get(`${subjectId}/host_report/gpu_driver/ssh`)).toMatchObject({ text: "boot-b", hostEpoch: 1 });
});
