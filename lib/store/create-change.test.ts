import { afterAll, beforeAll, expect, it } from "vitest";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { Policy } from "@/lib/core/change/policy";
import { aLayout } from "@/lib/testing/a-layout";
import { NOW } from "@/lib/testing/a-moment";
import { aPlan } from "@/lib/testing/a-plan";
import { aNewChange, aRecord, CHANGE, type TestRecord } from "@/lib/testing/store-contract-record";
import type { ChangeId } from "@/lib/core/kernel/ids";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord({
    layout: aLayout({ findings: [{ code: "rollback_untested", text: "the rollback of firmware is untested", acceptedBy: "approver" }] }),
  });
});
afterAll(() => record.close());

it("a new change is loaded as it was planned: batches, canary, classes, findings, windows", async () => {
  const s = await record.store.loadSnapshot(CHANGE);
  if (s === null) throw new Error("no snapshot");
  expect(s.change).toMatchObject({
    id: CHANGE,
    version: 0,
    state: "PENDING",
    ticket: "CHG0041234",
    revision: 1,
    rebootNeeded: true,
    canariesAskedFor: false,
  });
  expect(s.batches.map((b) => [b.number, b.state, b.askedFor])).toEqual([
    [1, "waiting", false],
    [2, "waiting", false],
    [3, "waiting", false],
  ]);
  expect(s.targets).toHaveLength(12);
  expect(s.targets[0]).toMatchObject({
    name: "gpu001",
    role: "canary",
    step: "waiting",
    gpus: 8,
    batch: 1,
    updateBegan: false,
    prior: null,
  });
  expect(s.targets[0]?.leaves).toHaveLength(1);
  expect(s.targets[0]?.rollback).toMatchObject([{ name: "driver", capability: "tested", savedVersion: null, acceptedUntested: false }]);
  expect(s.classes).toMatchObject([{ label: "h100-8/cx7-8/ubuntu22", nodes: 12 }]);
  expect(s.findings).toMatchObject([{ kind: "plan", blocks: true, acceptedBy: "approver", closedAt: null }]);
  expect(s.windows).toMatchObject([{ timezone: "Europe/Berlin" }]);
  expect(s.limits).toEqual({ ownGpus: 32, totalNodes: 5 });
  expect(s).toMatchObject({ totalGpus: 96, handOf: null, lastMaintenance: null, readingAsked: true, wakeSeq: 1, others: [] });
  expect(s.separation).toEqual({ authorIds: ["AK"], ranIds: [] });
  expect(s.sources.map((source) => source.source)).toEqual(["prometheus", "slurm", "work"]);
  expect(s.cluster).toEqual({ id: "sim-h100", production: true, disposable: false, hasTopology: true, computeNodes: 12 });
});

it("its first tick is in the queue of the same transaction", async () => {
  const queued = await record.sql(
    "select workflow_uuid, queue_name, queue_partition_key, inputs from dbos.workflow_status where queue_name = 'ticks'",
  );
  expect(queued).toMatchObject([{ workflow_uuid: "tick/CH-1/1", queue_partition_key: "CH-1" }]);
});

it("nodes that are not in the inventory and an unknown cluster are named, and nothing is written", async () => {
  const id = "CH-2" as ChangeId;
  const layout = aLayout();
  const stranger = {
    ...layout,
    batches: layout.batches.map((b) => ({ ...b, nodes: b.nodes.map((n) => ({ ...n, name: n.name.replace("gpu0", "gpu9") })) })),
  };
  const unknown = await record.store.createChange(aNewChange({ id, layout: stranger }));
  expect(unknown).toMatchObject({ ok: false, error: { code: "unknown_nodes", because: expect.stringContaining("gpu901") as string } });
  const elsewhere = await record.store.createChange(aNewChange({ id, plan: aPlan({ cluster: "nowhere" }) }));
  expect(elsewhere).toMatchObject({ ok: false, error: { code: "unknown_cluster" } });
  expect(await record.store.loadSnapshot(id)).toBeNull();
});

it("it is listed with its title, and open", async () => {
  expect(await record.store.listChanges({ clusterId: "sim-h100", open: true, limit: 10 })).toMatchObject([
    { id: CHANGE, goalText: "570.172.08", held: false, state: "PENDING" },
  ]);
  expect(await record.store.listChanges({ open: false, limit: 10 })).toEqual([]);
});

it("a finding that nobody can accept closes the approval: the plan must change (R2.8)", async () => {
  const text = "ib_hca_firmware needs a check of scope group over the fabric.";
  const findings = [{ code: "group_check_missing" as const, text, acceptedBy: "nobody" as const }];
  const made = await record.store.createChange(aNewChange({ id: "CH-3" as ChangeId, layout: aLayout({ findings }) }));
  expect(made.ok).toBe(true);
  const s = await record.store.loadSnapshot("CH-3" as ChangeId);
  if (s === null) throw new Error("no snapshot");
  const [approve] = permittedActions(s, Policy.parse({}), NOW).filter((one) => one.action === "approve-plan");
  const because = approve === undefined || approve.permitted ? [] : approve.because;
  expect(because).toContainEqual(expect.objectContaining({ code: "finding_open", because: text, acceptedBy: "nobody" }));
  const accept = permittedActions(s, Policy.parse({}), NOW).find((one) => one.action === "accept-finding" && one.on === s.findings[0]?.id);
  expect(accept).toMatchObject({ permitted: false });
});
