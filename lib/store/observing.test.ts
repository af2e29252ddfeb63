import { afterAll, beforeAll, expect, it } from "vitest";
import type { TargetId } from "@/lib/core/kernel/ids";
import type { NewObservation, SubjectView } from "@/lib/ports/store";
import { serviceText, type ServiceValue } from "@/lib/core/node/service-observation";
import { at, NOW } from "@/lib/testing/a-moment";
import { aRecord, CHANGE, CLUSTER, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";

let record: TestRecord;
let subjects: readonly SubjectView[];
beforeAll(async () => {
  record = await aRecord();
  subjects = await record.store.subjects(CLUSTER);
  // The clock stands still for these tests as far as a minute goes; reads are dated from it.
});
afterAll(() => record.close());

const subjectOf = (name: string): SubjectView => {
  const found = subjects.find((s) => s.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const service = (name: string, value: Partial<ServiceValue>, observedAt: Date): NewObservation => {
  const full: ServiceValue = { state: "in_service", words: [], reason: null, reasonAt: null, reservation: null, jobs: [], ...value };
  return {
    subjectId: subjectOf(name).subjectId,
    field: "service",
    component: "none",
    source: "slurm",
    kind: "value",
    text: serviceText(full),
    value: full,
    hostEpoch: 0,
    modelEpoch: 0,
    observedAt,
    request: "GET /nodes",
    observer: "w",
    evidenceSha: null,
    changeId: null,
  };
};
const read = (observations: readonly NewObservation[], startedAt: Date, more: object = {}) =>
  record.store.recordRead({
    clusterId: CLUSTER,
    source: "slurm",
    startedAt,
    complete: true,
    listed: 12,
    evidence: [],
    observations,
    boots: [],
    nextInMs: 0,
    ...more,
  });
const targetNow = async (name: string) => (await record.store.loadSnapshot(CHANGE))?.targets.find((t) => t.name === name);

it("a read writes what changed, wakes the changes it touches, and is due again at the source's pace", async () => {
  const now = await record.store.clock.now();
  const before = await record.store.loadSnapshot(CHANGE);
  expect(await read([service("gpu001", {}, now), service("gpu012", {}, now)], now)).toEqual({ written: 2 });
  expect((await record.store.loadSnapshot(CHANGE))?.wakeSeq).toBe((before?.wakeSeq ?? 0) + 1);
  expect(
    await record.sql(
      "select extract(epoch from next_due_at - started_at)::int as s, failures, listed from source_reads where source = 'slurm'",
    ),
  ).toEqual([{ s: 60, failures: 0, listed: 12 }]);
  expect((await targetNow("gpu001"))?.service).toMatchObject({
    is: "value",
    value: { state: "in_service", ours: false, jobs: [] },
    sources: ["slurm"],
  });
});

it("a complete read confirms what it listed without a row each, a failed one confirms nothing (D5)", async () => {
  const later = new Date((await record.store.clock.now()).getTime());
  await read([], later);
  expect((await targetNow("gpu001"))?.service).toMatchObject({ is: "value", at: later });
  await record.store.failRead(CLUSTER, "slurm", at(60), "connection refused");
  expect((await record.store.clusters())[0]?.reads.find((r) => r.source === "slurm")).toEqual({
    source: "slurm",
    confirmsAt: later,
    failedAt: at(60),
    reason: "connection refused",
  });
});

it("while a change waits for a source it is read at the cluster's poll interval", async () => {
  const now = await record.store.clock.now();
  const snapshot = await record.store.loadSnapshot(CHANGE);
  await commitMoves(record, [], { at: now, ticked: { seen: snapshot?.wakeSeq ?? 0, lookAgainAt: at(30) }, wantedReads: ["slurm"] });
  await read([], now);
  expect(
    await record.sql("select extract(epoch from next_due_at - started_at)::int as s from source_reads where source = 'slurm'"),
  ).toEqual([{ s: 5 }]);
});

it("a drain is ours by its reason, also when the scheduler appends to it, and foreign by any other (R9.2)", async () => {
  const now = await record.store.clock.now();
  await read(
    [
      service("gpu001", { state: "drained", reason: `clearance:${CHANGE}/gpu001 : reboot issued` }, now),
      service("gpu002", { state: "drained", reason: "bad disk" }, now),
    ],
    now,
  );
  expect((await targetNow("gpu001"))?.service).toMatchObject({ value: { state: "drained", ours: true } });
  expect((await targetNow("gpu002"))?.service).toMatchObject({ value: { state: "drained", ours: false, reason: "bad disk" } });
  expect((await record.store.loadSnapshot(CHANGE))?.others).toEqual([
    { name: "gpu001", gpus: 8, because: "drained_by_other" },
    { name: "gpu002", gpus: 8, because: "drained_by_other" },
  ]);
});

it("resumed inside our open reservation it is ours (R3.6)", async () => {
  const now = await record.store.clock.now();
  const obligation = {
    move: "obligation",
    id: "o1",
    kind: "reservation",
    targetId: targetOf(1) as TargetId,
    subjectId: null,
    name: "clearance-CH-1-gpu001-1",
    prior: null,
    madeBy: null,
    endsAt: null,
  } as const;
  await commitMoves(record, [obligation]);
  await read([service("gpu001", { state: "in_service", reservation: "clearance-CH-1-gpu001-1" }, now)], now);
  expect((await targetNow("gpu001"))?.service).toMatchObject({ value: { state: "in_service", ours: true } });
});

it("one reboot seen by two sources is counted once, a boot time within 3 s is the same boot", async () => {
  const { subjectId } = subjectOf("gpu003");
  const boot = async (bootId: string | null, bootedAt: Date | null) => {
    await read([], NOW, { boots: [{ subjectId, bootId, bootedAt }] });
    return (await record.store.subjects(CLUSTER)).find((s) => s.subjectId === subjectId)?.hostEpoch;
  };
  expect(await boot("a", at(-600))).toBe(0);
  expect(await boot(null, new Date(at(-600).getTime() + 2_000))).toBe(0);
  expect(await boot("b", null)).toBe(1);
  expect(await boot(null, at(-5))).toBe(1);
  expect(await boot(null, at(-1))).toBe(2);
  expect(await boot("c", null)).toBe(2);
});

it("series: the newest read, and the newest that is not later than the drain (R2.3)", async () => {
  const { subjectId } = subjectOf("gpu004");
  const seen = (value: string, observedAt: Date): NewObservation => ({
    subjectId,
    field: "telemetry",
    component: "none",
    source: "prometheus/remapped rows",
    kind: "value",
    text: value,
    value: {
      query: "q",
      readAt: observedAt.toISOString(),
      up: 1,
      warnings: [],
      samples: [{ entity: "gpu0", labels: {}, text: value, sampledAt: null }],
      error: null,
    },
    hostEpoch: 0,
    modelEpoch: 0,
    observedAt,
    request: "q",
    observer: "w",
    evidenceSha: null,
    changeId: CHANGE,
  });
  const key = `${CHANGE}/gpu004/drain/1` as never;
  const request = { kind: "drain" as const, node: "gpu004", reason: "r" };
  // The pass that took the node out of service begins with its health check.
  const health = { kind: "check_health" as const, node: "gpu004", expectGpus: 8 };
  const first = `${CHANGE}/gpu004/check_health/1` as never;
  await commitMoves(
    record,
    [
      {
        move: "target",
        id: targetOf(4) as TargetId,
        from: "waiting",
        to: "checking",
        aim: "goal",
        stage: 0,
        generation: 1,
        deadlineAt: null,
        because: "",
      },
    ],
    {
      commands: [
        {
          key: first,
          kind: "check_health",
          targetId: targetOf(4) as TargetId,
          generation: 1,
          deadlineAt: at(5),
          because: "",
          request: health,
        },
        { key, kind: "drain", targetId: targetOf(4) as TargetId, generation: 1, deadlineAt: at(5), because: "", request },
      ],
    },
  );
  await record.store.claimCommand(key, "w", at(10));
  for (const [value, minutes] of [
    ["0", 8],
    ["1", 9],
    ["2", 11],
    ["3", 12],
  ] as const)
    await read([seen(value, at(minutes))], at(minutes), { source: "prometheus" });
  const series = (await targetNow("gpu004"))?.series["remapped rows"];
  expect(series?.now?.samples[0]?.text).toBe("3");
  expect(series?.before?.samples[0]?.text).toBe("1");
  expect(series?.now?.observationId).toBeGreaterThan(0);
});

it("telemetry is wanted for targets with a place only, and for all of a change in preflight", async () => {
  const names = async () => (await record.store.wantedTelemetry(CLUSTER)).map((w) => [w.name, w.subjects.length]);
  expect(await names()).toEqual([]);
  await commitMoves(record, [{ move: "change", to: "PREFLIGHT", outcome: null, because: "" }]);
  expect(await names()).toEqual([["remapped rows", 12]]);
  await commitMoves(record, [{ move: "change", to: "IN_PROGRESS", outcome: null, because: "" }]);
  expect(await names()).toEqual([["remapped rows", 1]]);
});

it("the inventory shows service, reason, leaves and who has the node", async () => {
  const nodes = await record.store.inventory(CLUSTER);
  expect(nodes).toHaveLength(13);
  expect(nodes.find((n) => n.name === "gpu002")).toMatchObject({
    service: "drained",
    serviceReason: "bad disk",
    gpus: 8,
    classLabel: "h100-8/cx7-8/ubuntu22",
    leaves: [{ name: "leaf02", fabric: "compute" }],
  });
  expect(nodes.find((n) => n.name === "gpu004")).toMatchObject({ changeId: CHANGE, step: "checking" });
  expect(nodes.find((n) => n.name === "login01")).toMatchObject({ role: "login", leaves: [] });
});

it("a node's own record: what its layers last said, and the changes it was in", async () => {
  const [node] = (await record.store.inventory(CLUSTER)).filter(({ changeId }) => changeId !== null);
  const told = await record.store.nodeRecord(node!.subjectId);
  expect(told.changes.map(({ id, step }) => [id, step])).toContainEqual([node!.changeId, node!.step]);
  const hosts = told.layers.filter(({ field }) => field === "host_report").map(({ component, text }) => [component, text]);
  expect(Object.fromEntries(hosts)).toEqual(
    Object.fromEntries(Object.entries(node!.reported).map(([component, { text }]) => [component, text])),
  );
  expect(told.layers.every(({ field }) => (field as string) !== "service")).toBe(true);
});
