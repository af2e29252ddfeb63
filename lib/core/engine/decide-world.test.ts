import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { STEP_TRAITS } from "@/lib/core/change/step";
import { aPlan } from "@/lib/testing/a-plan";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { aWorld, live, NO_FAULTS, type Faults, type World } from "@/lib/testing/small-world";
import { isThrough, peopleGoOn } from "@/lib/testing/small-world-people";
import { applyMoves } from "./apply-moves";
import { decide } from "./decide";
import type { Ruling } from "./ruling";

const LOOKS = 800;

/** A rehearsal of twelve nodes that goes on by itself, with one plain command as its check. */
const rehearsal = (): Snapshot =>
  aSnapshot({
    change: { profile: "rehearsal", purpose: "rehearsal", advance: "auto", canariesAskedFor: false },
    cluster: { disposable: true },
    plan: aPlan({
      advance: "auto",
      telemetry: [],
      acceptance: [],
      validate: [
        {
          name: "smoke",
          scope: "node",
          groupSize: null,
          gate: "batches",
          run: "smoke-test",
          on: "node",
          parser: null,
          expect: null,
          baseline: null,
          timeoutMs: 60_000,
        },
      ],
    }),
    jobs: [],
    reports: [],
    readings: [],
    targets: Array.from({ length: 12 }, (_, i) => aTarget(i + 1)),
  });

/** Mulberry32: the same seed is the same world. */
const randomOf = (seed: number) => {
  let a = seed;
  return (): number => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

function run(seed: number, faults: Faults, seen: (before: World, ruling: Ruling, after: World) => void): World {
  let world = aWorld(rehearsal(), randomOf(seed), faults);
  for (let i = 0; i < LOOKS && !isThrough(world.s); i += 1) {
    const lived = live(world);
    seen(world, lived.ruling, lived.world);
    world = peopleGoOn(lived.world);
  }
  return world;
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const anyFaults = fc.record({
  fails: fc.constantFrom(0, 0.05, 0.3),
  unknown: fc.constantFrom(0, 0.05, 0.2),
  jobs: fc.constantFrom(0, 0.5),
  foreignDrain: fc.constantFrom(0, 0.1),
  oldVersion: fc.constantFrom(0, 0.1),
});

describe("decide in a small world", { timeout: 60_000 }, () => {
  it("brings every node back accepted when nothing goes wrong", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const end = run(seed, { ...NO_FAULTS, jobs: 0.4 }, () => undefined);
        expect(end.s.targets.map((t) => t.step)).toEqual(end.s.targets.map(() => "accepted"));
        expect(end.s.batches.map((b) => b.state)).toEqual(["succeeded", "succeeded", "succeeded"]);
        expect(end.s.obligations).toEqual([]);
        expect([...end.nodes.values()].every((n) => n.drain === null && n.version === "570.172.08")).toBe(true);
      }),
      { numRuns: 6 },
    );
  });

  it("comes to an end whatever goes wrong, with one outcome for every node (R8.6)", () => {
    fc.assert(
      fc.property(seeds, anyFaults, (seed, faults) => {
        const end = run(seed, faults, () => undefined);
        expect(isThrough(end.s), JSON.stringify(end.s.targets.map((t) => [t.name, t.step, t.because]))).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  it("keeps every limit, sends nothing twice, begins nothing under a hold, touches only what is drained by us (R6, R7.6, R9)", () => {
    fc.assert(
      fc.property(seeds, anyFaults, (seed, faults) => {
        const end = run(seed, faults, (before, ruling, after) => {
          const out = after.s.targets.filter((t) => STEP_TRAITS[t.step].holdsSlot);
          expect(out.reduce((sum, t) => sum + t.gpus, 0)).toBeLessThanOrEqual(before.s.limits.ownGpus);
          expect(out.length).toBeLessThanOrEqual(before.s.limits.totalNodes);
          const begun = ruling.moves.filter(
            (m) => m.move === "target" && (m.to === "checking" || m.to === "updating") && m.from !== "updating",
          );
          if (before.s.holds.length > 0) expect(begun).toEqual([]);
          const undecided = before.s.targets.some((t) => t.step === "unresolved" || t.step === "failed" || t.step === "rollback_failed");
          if (undecided) expect(ruling.moves.filter((m) => m.move === "target" && m.to === "checking")).toEqual([]);
          for (const c of ruling.commands) {
            if (c.request.kind !== "start_update" && c.request.kind !== "reboot" && c.request.kind !== "start_rollback") continue;
            const node = before.nodes.get(c.request.node);
            expect([node?.drain, node?.jobs]).toEqual([`clearance:chg-1/${c.request.node}`, 0]);
          }
        });
        expect(new Set(end.sent).size).toBe(end.sent.length);
      }),
      { numRuns: 10 },
    );
  });

  it("deciding again at the same moment comes to rest: nothing is said twice", () => {
    const policy = Policy.parse({ observeForMs: 600_000 });
    fc.assert(
      fc.property(seeds, anyFaults, (seed, faults) => {
        run(seed, faults, (before) => {
          let s = before.s;
          let left = 12;
          for (
            let ruling = decide(s, policy, before.now);
            ruling.moves.length + ruling.commands.length > 0;
            ruling = decide(s, policy, before.now)
          ) {
            s = applyMoves(s, ruling.moves, ruling.commands, before.now);
            left -= 1;
            expect(left, JSON.stringify(ruling.moves)).toBeGreaterThan(0);
          }
          expect(new Set(s.commands.map((c) => c.key)).size).toBe(s.commands.length);
        });
      }),
      { numRuns: 3 },
    );
  });
});
