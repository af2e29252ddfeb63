import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CommandRequest } from "@/lib/core/change/command-request";
import type { CommandKey, TargetId } from "@/lib/core/kernel/ids";
import { ok } from "@/lib/core/kernel/result";
import type { ScheduledNode, Scheduler, SchedulerTopology } from "@/lib/ports/scheduler";
import type { ClusterSite, ClusterWorld, Deps } from "@/lib/services/deps";
import { observeInventory } from "@/lib/services/observe/observe-inventory";
import { runCommand } from "@/lib/services/run-command";
import { at } from "@/lib/testing/a-moment";
import { CLUSTER, commitMoves, targetOf } from "@/lib/testing/store-contract-record";
import { openDoors, type DoorSite } from "./door-site";
import { HOSTILE } from "./hostile";

let site: DoorSite;
let deps: Deps;
let world: ClusterWorld;
let node: ScheduledNode;
let leaves: SchedulerTopology["leaves"] = [];
const writes: string[] = [];

beforeAll(async () => {
  site = await openDoors();
  const wrote = (what: string) => () => {
    writes.push(what);
    return Promise.resolve(ok(undefined));
  };
  const scheduler: Partial<Scheduler> = {
    readNode: () => Promise.resolve(ok(node)),
    listNodes: () => Promise.resolve(ok({ entries: [node], version: "v0.0.40", request: "nodes", digest: "0" })),
    readTopology: () => Promise.resolve(ok({ leaves, request: "topology", raw: "" })),
    drain: wrote("drain"),
    resume: wrote("resume"),
    reboot: wrote("reboot"),
  };
  world = {
    scheduler: scheduler as Scheduler,
    shell: {} as ClusterWorld["shell"],
    metrics: null,
    rebootVia: "scheduler",
    nodeLabel: null,
  };
  deps = { ...site.deps, world: () => world };
}, 180_000);
afterAll(() => site.close());
beforeEach(() => {
  writes.length = 0;
  node = {
    name: "gpu001",
    state: "drained",
    words: ["IDLE", "DRAIN"],
    reason: null,
    reasonBy: "root",
    reasonAt: null,
    bootedAt: null,
    gpus: 8,
    partitions: ["train"],
    features: [],
    allocatedCpus: 0,
    responding: true,
    reservation: null,
    raw: "{}",
  };
});

let nth = 0;
async function ran(request: CommandRequest): Promise<{ state: string; outcome: { because: string; health?: { reason: string | null } } }> {
  nth += 1;
  const key = `CH-1/gpu001/${request.kind}.${nth}/1` as CommandKey;
  const command = { key, kind: request.kind, targetId: targetOf(1) as TargetId, generation: 1, deadlineAt: at(60), because: "", request };
  await commitMoves(site.record, [], { commands: [command] });
  await runCommand(deps, { key, worker: "w1" });
  const [row] = await site.record.sql<Awaited<ReturnType<typeof ran>>>("select state, outcome from commands where key = $1", [key]);
  if (row === undefined) throw new Error(`${key} is gone`);
  return row;
}

const OURS = "clearance:CH-1/gpu001";
const REASONS: Readonly<Record<string, string>> = {
  ...HOSTILE,
  "one that begins like ours": "clearance:CH-1/gpu0011",
  "ours with another case": "Clearance:CH-1/gpu001",
  "ours after a line end": `bad DIMM\n${OURS}`,
  "ours after white space that is none": `\u00a0${OURS}`,
  "ours written backwards over itself": `\u202e${OURS}`,
};

test.each(Object.keys(REASONS))(
  "a drain by somebody else with the reason %s stays theirs, letter by letter, and is told in a short sentence (R9.2)",
  async (name) => {
    node = { ...node, reason: REASONS[name] ?? "" };
    const health = await ran({ kind: "check_health", node: "gpu001", expectGpus: 8 });
    const drain = await ran({ kind: "drain", node: "gpu001", reason: OURS });
    const release = await ran({ kind: "release", node: "gpu001", reason: OURS });
    expect([health.state, drain.state, release.state]).toEqual(["succeeded", "failed", "failed"]);
    expect(writes).toEqual([]);
    const kept = (REASONS[name] ?? "").replaceAll("\u0000", "\ufffd").replace(/\p{Cs}/gu, "\ufffd");
    expect(health.outcome.health?.reason).toBe(kept);
    for (const told of [health, drain, release]) expect(told.outcome.because.length).toBeLessThan(1_000);
    expect(site.broken).toEqual([]);
  },
  60_000,
);

test("partitions and leaves with hostile names are taken as the text they are, or replaced where no database holds it", async () => {
  const setup = {
    id: CLUSTER,
    title: "Simulated H100",
    production: true,
    disposable: false,
    execution: "automatic",
    timezone: "Europe/Berlin",
    policy: {},
    sources: [
      { name: "slurm", everyMs: 60_000, requiredFor: [] },
      { name: "inventory", everyMs: 60_000, requiredFor: [] },
    ],
    topology: { is: "from_scheduler" },
  } as const;
  const facts = {
    serverModel: "DGX H100",
    accelerator: { model: "NVIDIA H100", count: 8 },
    hca: { model: "ConnectX-7", count: 8 },
    environment: "ubuntu22",
  };
  const configured: ClusterSite = { setup, nodes: [{ names: ["gpu001"], role: "compute", facts }] };
  const names = Object.entries(HOSTILE).flatMap(([name, text]) => (name === "very long" ? [] : [text]));
  node = { ...node, partitions: names };
  leaves = names.map((leaf) => ({ leaf, nodes: ["gpu001"] }));
  await observeInventory({ ...deps, site: () => configured }, world, CLUSTER);
  const [read] = await site.record.sql<{ reason: string | null }>("select reason from source_reads where source = 'inventory'");
  expect(read?.reason).toBeNull();
  const told = await site.ask("RB", "GET", "/nodes");
  const gpu = (told.body["nodes"] as { name: string; partitions: string[]; leaves: { name: string }[] }[]).find((n) => n.name === "gpu001");
  const kept = names.map((text) => text.replaceAll("\u0000", "\ufffd").replace(/\p{Cs}/gu, "\ufffd"));
  expect([...(gpu?.partitions ?? [])].sort()).toEqual([...kept].sort());
  // Two that the database cannot tell apart are one leaf: the rule gets stricter, never looser.
  expect((gpu?.leaves ?? []).map((leaf) => leaf.name).sort()).toEqual([...new Set(kept)].sort());
}, 60_000);
