import { describe, expect, it } from "vitest";
import { gateStates } from "@/lib/core/change/gate";
import { nextAction } from "@/lib/core/change/next-action";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { SeriesSeen } from "@/lib/core/check/series";
import type { Target } from "@/lib/core/change/target";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aCommand } from "@/lib/testing/a-command";
import { NOW, at } from "@/lib/testing/a-moment";
import { AK } from "@/lib/testing/a-person";
import { aBoard, aConfigRow } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, anUnknown, aTarget, aValue } from "@/lib/testing/a-target";
import { ruled } from "@/lib/testing/ruling-said";
import { aWorld, live, NO_FAULTS, type World } from "@/lib/testing/small-world";
import { seenTargets } from "@/lib/testing/small-world-nodes";
import { inStep, passed, someTargets } from "@/lib/testing/some-targets";
import { applyMoves } from "./apply-moves";
import { decide } from "./decide";

const policy = Policy.parse({});
const drained = aValue(aService({ state: "drained", reason: "clearance:chg-1/gpu002", ours: true }));
const held = { ...inStep("validating"), updateBegan: true, service: drained };

/** gpu002, a member of the running batch 1, with these overrides; gpu003 and gpu004 are accepted. */
const running = (t2: Partial<Target>, more: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({
    targets: someTargets(
      {
        t1: { step: "accepted", updateBegan: true },
        t2,
        t3: { step: "accepted", updateBegan: true },
        t4: { step: "accepted", updateBegan: true },
      },
      12,
    ),
    batches: [aBatch(1, { state: "running" }), aBatch(2), aBatch(3)],
    ...more,
  });

describe("case 9: seven of eight GPUs reported, all healthy", () => {
  const seen = (indexes: readonly number[], uuid = (index: number) => `GPU-${index}`): SeriesSeen => ({
    observationId: 7,
    query: "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
    readAt: NOW.toISOString(),
    up: 1,
    warnings: [],
    error: null,
    samples: indexes.map((index) => ({
      entity: String(index),
      labels: { gpu: String(index), UUID: uuid(index), Hostname: "gpu002" },
      text: "0",
      sampledAt: NOW.toISOString(),
    })),
  });
  const telemetry = aCheck({
    targetId: aTarget(2).id,
    name: "remapped rows",
    verdict: null,
    judgedAt: null,
    settlesAt: at(-3),
    dueAt: at(-1),
    spec: { kind: "telemetry", query: "x", expect: { atMost: { value: 0.5 } }, seriesPerNode: 8, freshnessMs: 60_000, settleMs: 0 },
  });
  const all = [0, 1, 2, 3, 4, 5, 6, 7];
  it.each<[string, SeriesSeen, RegExp]>([
    ["gpu 7 is missing", seen(all.slice(0, 7)), /7 of 8 GPUs reported, missing index 7/],
    ["two of eight share one UUID", seen(all, (index) => `GPU-${index % 7}`), /7 of 8 GPUs reported, two series share UUID GPU-0/],
  ])("%s: unresolved, and the batch cannot complete", (_what, now, because) => {
    const t2 = { ...held, series: { "remapped rows": { now, before: null } } };
    const s = running(t2, { checks: [...aPreflight(), ...passed(2), telemetry] });
    const first = decide(s, policy, NOW);
    expect(ruled(first)).toEqual(expect.arrayContaining([expect.stringMatching(/remapped rows: unresolved$/), "t2>unresolved"]));
    const later = applyMoves(s, first.moves, first.commands, NOW);
    expect(later.checks.find((c) => c.name === "remapped rows")?.because).toMatch(because);
    const again = decide(later, policy, at(30));
    expect(ruled(again).filter((word) => /^batch \d+>(succeeded|decided)|release|unreserve/.test(word))).toEqual([]);
    expect(later.batches.find((b) => b.number === 1)?.state).toBe("running");
    const second = permittedActions(later, policy, NOW).find((a) => a.action === "start-batch" && a.on === "2");
    expect(second?.permitted).toBe(false);
  });
  it("passes with all eight", () => {
    const t2 = { ...held, series: { "remapped rows": { now: seen(all), before: null } } };
    const words = ruled(decide(running(t2, { checks: [...aPreflight(), ...passed(2), telemetry] }), policy, NOW));
    expect(words).toEqual(expect.arrayContaining([expect.stringMatching(/remapped rows: pass$/), "t2>returning"]));
  });
});

describe("case 12: the diagnostic did not run", () => {
  it("the batch waits with an owner: who is asked next is named, and nothing is done by itself", () => {
    const [layer] = passed(2);
    const diagnostic = aCheck({
      targetId: aTarget(2).id,
      name: "dcgm",
      verdict: "unresolved",
      because: "diagnostic did not run (DCGM code -30)",
    });
    const s = running({ ...held, step: "unresolved" }, { checks: [...aPreflight(), ...(layer ? [layer] : []), diagnostic] });
    const ruling = decide(s, policy, NOW);
    expect([ruling.commands, ruled(ruling).filter((word) => !word.startsWith("~"))]).toEqual([[], []]);
    const next = nextAction(s, policy, NOW);
    expect(next).toMatchObject({ by: "person", on: diagnostic.id });
    expect("who" in next ? next.who : []).toContain(AK);
  });
});

describe("case 22: the driver library was replaced under the loaded module, so the host cannot say its version", () => {
  const layer = passed(2, { verdict: null, judgedAt: null, dueAt: at(-1) }).slice(0, 1);
  const unreadable = aBoard({
    now: aConfigRow({ host_report: { verdict: "unknown", known: anUnknown("unreadable"), wanted: "570.172.08" } }),
  });
  const probe = aCommand(2, { request: { kind: "probe", node: "gpu002", components: ["gpu_driver"] } });
  it("the update step is not complete: unresolved at the end of its time, never accepted, never failed", () => {
    const s = running({ ...held, step: "observing", board: unreadable }, { checks: [...aPreflight(), ...layer], commands: [probe] });
    const words = ruled(decide(s, policy, NOW));
    expect(words).toEqual(expect.arrayContaining(["t2/1/host report: unresolved", "t2>unresolved"]));
    expect(words.filter((word) => /returning|accepted|failed|rolling_back/.test(word))).toEqual([]);
  });
});

describe("case 21: the scheduler answers in a version that nobody here can read", () => {
  const because = "unsupported scheduler JSON version v0.0.99: readers exist for v0.0.36 to v0.0.45";
  const row = aPreflight().map((c) => (c.name === "scheduler" ? { ...c, verdict: null, judgedAt: null } : c));
  const s = aSnapshot({
    change: { state: "PREFLIGHT", startedAt: null, preflightPassedAt: null },
    targets: [aTarget(1), aTarget(2)],
    reports: [],
    readings: [],
    checks: row,
    sources: [{ source: "slurm", confirmsAt: at(-5), failedAt: at(-1), reason: because }],
  });
  it("preflight is blocked with these words, and no node is called busy, idle or gone", () => {
    const ruling = decide(s, policy, NOW);
    const later = applyMoves(s, ruling.moves, ruling.commands, NOW);
    expect(later.checks.find((c) => c.name === "scheduler")).toMatchObject({
      verdict: "unresolved",
      because: expect.stringContaining(because),
    });
    expect(gateStates(later, policy, NOW).preflight.is).not.toBe("done");
    expect([ruling.commands, later.change.state, later.targets.map((t) => t.step)]).toEqual([[], "PREFLIGHT", ["waiting", "waiting"]]);
  });
});

describe("case 19: the reason of a node's drain was changed by someone during the plan", () => {
  const theirs = "fan 3 fails, ticket 4711";
  const SETTLED: ReadonlySet<string> = new Set(["accepted", "withheld", "unresolved"]);
  /** Four nodes of one batch; somebody changes the drain of gpu002 at the first look at which `when` holds. */
  function played(when: (t: Target) => boolean): World {
    const all = aSnapshot({
      change: { advance: "auto", profile: "rehearsal" },
      targets: [1, 2, 3, 4].map((n) => aTarget(n, n === 1 ? { role: "member" } : {})),
      batches: [aBatch(1, { askedFor: true })],
      jobs: [],
    });
    let world = aWorld({ ...all, plan: { ...all.plan, telemetry: [], validate: [], acceptance: [] } }, () => 0.5, NO_FAULTS);
    let changed = false;
    for (let looks = 0; looks < 400 && !(changed && world.s.targets.every((t) => SETTLED.has(t.step))); looks += 1) {
      world = live(world).world;
      const node = world.nodes.get("gpu002");
      const t2 = world.s.targets[1];
      if (changed || node === undefined || node.drain === null || t2 === undefined || !when(t2)) continue;
      changed = true;
      const nodes = new Map([...world.nodes, ["gpu002", { ...node, drain: theirs }]]);
      world = { ...world, nodes, s: { ...world.s, targets: seenTargets(world.s, nodes, world.now) } };
    }
    return world;
  }
  const released = (world: World) => world.sent.flatMap((key) => (/\/release[./]/.test(key) ? [key.split("/")[1]] : [])).sort();

  it("before its update: withheld, its drain stays with their reason, the resume list is the others", () => {
    const world = played((t) => !t.updateBegan);
    expect(world.s.targets.map((t) => t.step)).toEqual(["accepted", "withheld", "accepted", "accepted"]);
    expect(world.s.targets[1]?.because).toContain(theirs);
    expect(world.sent.filter((key) => /\/gpu002\/(start_update|reboot)/.test(key))).toEqual([]);
    expect(released(world)).toEqual(["gpu001", "gpu003", "gpu004"]);
    expect(world.nodes.get("gpu002")?.drain).toBe(theirs);
  });
  it("after its update began: it goes on, is held for a person and stays drained with their reason", () => {
    const world = played((t) => t.updateBegan);
    expect(world.s.targets.map((t) => t.step)).toEqual(["accepted", "unresolved", "accepted", "accepted"]);
    expect(world.s.findings.map((f) => f.because)).toEqual([expect.stringContaining(`changed by somebody else, reason "${theirs}"`)]);
    expect(world.nodes.get("gpu002")?.drain).toBe(theirs);
    expect(world.nodes.get("gpu002")?.version).toBe("570.172.08");
  });
});
