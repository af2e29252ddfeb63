import type { CommandView } from "@/lib/core/change/command";
import type { CommandOutcome } from "@/lib/core/change/command-request";
import { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { applyMoves } from "@/lib/core/engine/apply-moves";
import { decide } from "@/lib/core/engine/decide";
import type { Ruling } from "@/lib/core/engine/ruling";
import { aHash } from "./a-hash";
import { NOW } from "./a-moment";
import { keep, runOf } from "./small-world-record";
import { seenTargets, type WorldNode } from "./small-world-nodes";

export type Faults = {
  /** Chances from 0 to 1, asked once per command. */
  readonly fails: number;
  readonly unknown: number;
  readonly jobs: number;
  readonly foreignDrain: number;
  /** The update is done and the old version stays. */ readonly oldVersion: number;
};
export const NO_FAULTS: Faults = { fails: 0, unknown: 0, jobs: 0, foreignDrain: 0, oldVersion: 0 };

export type World = {
  readonly s: Snapshot;
  readonly now: Date;
  readonly nodes: ReadonlyMap<string, WorldNode>;
  /** Keys in the order in which the world was told of them. */ readonly sent: readonly string[];
  readonly random: () => number;
  readonly faults: Faults;
};

const policy = Policy.parse({ observeForMs: 600_000 });
const STEP_MS = 20_000;

export const aWorld = (s: Snapshot, random: () => number, faults: Faults): World => ({
  s,
  now: NOW,
  nodes: new Map(
    s.targets.map((t) => [
      t.name,
      { drain: null, reservation: null, jobs: random() < faults.jobs ? 2 : 0, version: "550.90.07", boot: 1, bootedAt: NOW },
    ]),
  ),
  sent: [],
  random,
  faults,
});

/** One look, then everything that was asked for is done or goes wrong, jobs end, time passes, and the scheduler is read again. */
export function live(world: World): { readonly world: World; readonly ruling: Ruling } {
  const ruling = decide(world.s, policy, world.now);
  const s = keep(applyMoves(world.s, ruling.moves, ruling.commands, world.now), ruling.moves, world.now);
  const nodes = new Map(world.nodes);
  const end = new Date(world.now.getTime() + STEP_MS / 2);
  const commands = s.commands.map((c) => (c.finishedAt === null ? perform(c, nodes, world, end) : c));
  for (const [name, node] of nodes) {
    if (node.jobs > 0 && world.random() < 0.3) nodes.set(name, { ...node, jobs: node.jobs - 1 });
  }
  const now = new Date(world.now.getTime() + STEP_MS);
  const ran = commands.filter((c) => c.finishedAt === end).flatMap((c) => runOf(c, end, c.outcome?.exitCode ?? 0) ?? []);
  const seen = {
    ...s,
    commands,
    runs: [...s.runs, ...ran],
    targets: seenTargets(s, nodes, now),
    sources: [{ source: "slurm", confirmsAt: now, failedAt: null, reason: null }],
  };
  return { world: { ...world, s: seen, now, nodes, sent: [...world.sent, ...ruling.commands.map((c) => c.key as string)] }, ruling };
}

function perform(c: CommandView, nodes: Map<string, WorldNode>, world: World, at: Date): CommandView {
  const name = "node" in c.request ? c.request.node : (c.request.nodes[0] ?? "");
  const node = nodes.get(name);
  const chance = world.random();
  const started = c.startedAt ?? world.now;
  const finish = (state: CommandView["state"], outcome: CommandOutcome): CommandView => ({
    ...c,
    state,
    startedAt: started,
    finishedAt: at,
    outcome,
  });
  if (node === undefined) return finish("succeeded", { result: "done", because: "done", exitCode: 0, outputSha: aHash("out") });
  // Long work takes a while: it is found again on a later look.
  if (chance < 0.3) return { ...c, state: "started", startedAt: started };
  const mayFail = c.kind === "start_update" || c.kind === "start_run" || c.kind === "reboot" || c.kind === "start_rollback";
  const luck = world.random();
  if (mayFail && luck < world.faults.unknown) return finish("unknown", { result: "unknown", because: "connection lost" });
  const failed = mayFail && luck < world.faults.unknown + world.faults.fails;
  if (failed && c.kind !== "start_run") return finish("failed", { result: "failed", because: "exit code 1", exitCode: 1 });
  const { request } = c;
  if (request.kind === "release" && node.drain !== null && node.drain !== request.reason)
    return finish("failed", { result: "failed", because: `the drain is not this change's any more: "${node.drain}"; it stays drained` });
  const outcome = effect(c, name, node, nodes, world);
  return finish("succeeded", { ...outcome, ...(c.kind === "start_run" ? { exitCode: failed ? 1 : 0, outputSha: aHash("out") } : {}) });
}

function effect(c: CommandView, name: string, node: WorldNode, nodes: Map<string, WorldNode>, world: World): CommandOutcome {
  const done = (more: Partial<CommandOutcome> = {}): CommandOutcome => ({ result: "done", because: "done", ...more });
  const { request } = c;
  switch (request.kind) {
    case "check_health": {
      const foreign = world.random() < world.faults.foreignDrain;
      if (foreign) nodes.set(name, { ...node, drain: "bad DIMM" });
      const state = foreign || node.drain !== null ? ("drained" as const) : ("in_service" as const);
      return done({ health: { state, reason: foreign ? "bad DIMM" : node.drain, gpusSeen: request.expectGpus, observationIds: [1] } });
    }
    case "save_versions":
      return done({ saved: request.components.map((part) => ({ name: part.name, version: node.version, because: "" })) });
    case "drain":
      nodes.set(name, { ...node, drain: node.drain ?? request.reason });
      return done();
    case "release":
      nodes.set(name, { ...node, drain: null });
      return done();
    case "reserve":
      nodes.set(name, { ...node, drain: request.resume ? null : node.drain, reservation: request.name });
      return done();
    case "unreserve":
      nodes.set(name, { ...node, drain: request.drainFirst ? request.reason : node.drain, reservation: null });
      return done();
    case "start_update":
      if (world.random() >= world.faults.oldVersion) nodes.set(name, { ...node, version: world.s.change.goal.text });
      return done();
    case "start_rollback":
      nodes.set(name, { ...node, version: "550.90.07" });
      return done();
    case "reboot":
      nodes.set(name, { ...node, boot: node.boot + 1, bootedAt: world.now });
      return done({ bootId: `boot-${node.boot + 1}` });
    case "probe":
      return done({ bootId: `boot-${node.boot}` });
    default:
      return done();
  }
}
