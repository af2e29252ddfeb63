import { describe, expect, it } from "vitest";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { aLockedJob } from "@/lib/testing/a-job";
import { aPlan } from "@/lib/testing/a-plan";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { aWorld, live, NO_FAULTS, type World } from "@/lib/testing/small-world";
import { isThrough, peopleSign } from "@/lib/testing/small-world-people";

/** Profile medium with one plain check per node and the locked acceptance job; goes on by itself where no person is needed. */
const medium = (overrides: Partial<Snapshot> = {}): Snapshot => ({
  ...aSnapshot({
    change: { advance: "auto", canariesAskedFor: false },
    plan: aPlan({
      telemetry: [],
      validate: [
        {
          name: "smoke",
          scope: "node",
          groupSize: null,
          gate: "batches",
          run: "smoke",
          on: "node",
          parser: null,
          expect: null,
          baseline: null,
          timeoutMs: 60_000,
        },
        {
          name: "fabric",
          scope: "change",
          groupSize: null,
          gate: "fabric_validation",
          run: "all {gpus} {group}",
          on: "node",
          parser: null,
          expect: null,
          baseline: null,
          timeoutMs: 60_000,
        },
        {
          name: "sample",
          scope: "change",
          groupSize: null,
          gate: "spot_validation",
          run: "one {node}",
          on: "node",
          parser: null,
          expect: null,
          baseline: null,
          timeoutMs: 60_000,
        },
      ],
    }),
    reports: [],
    readings: [],
    decisions: aSnapshot().decisions.filter((d) => d.kind !== "sign_off"),
    targets: Array.from({ length: 12 }, (_, i) => aTarget(i + 1)),
  }),
  ...overrides,
});
/** Always in the middle: nothing fails, nothing takes long. */
const steady = () => 0.5;

function until(world: World, done: (w: World) => boolean, people: (w: World) => World = (w) => w): World {
  let now = world;
  for (let i = 0; i < 600; i += 1) {
    if (done(now)) return now;
    now = people(live(now).world);
  }
  throw new Error(`not reached: ${JSON.stringify(now.s.targets.map((t) => [t.name, t.step, t.because]))}`);
}
const kinds = (world: World, node: string): readonly string[] =>
  world.sent.filter((k) => k.includes(`/${node}/`)).map((k) => k.split("/").slice(2).join("/"));

describe("decide, the canary's path", () => {
  it("runs the acceptance job inside a reservation, freezes one record and waits for its signature (R3.6, R4.3)", () => {
    const world = until(aWorld(medium(), steady, NO_FAULTS), (w) => w.s.targets[0]?.step === "accepted");
    expect(kinds(world, "gpu001")).toEqual([
      "check_health/1",
      "save_versions/1",
      "drain/1",
      "start_update/1",
      "reboot/1",
      "probe/1",
      "reserve/1",
      "start_run/1",
      "start_run.2/1",
      "start_run.3/1",
      "start_run.4/1",
      "unreserve/1",
    ]);
    expect(world.s.reports.map((r) => [r.body.canary, r.body.compared.verdict, r.body.throughScheduler])).toEqual([
      ["gpu001", "pass", true],
    ]);
    expect(world.s.obligations).toEqual([]);
    const later = live(live(world).world);
    expect(later.ruling.waits.map((w) => w.because.code)).toEqual(["gate_open"]);
    expect(later.world.s.targets.filter((t) => t.step !== "waiting")).toHaveLength(1);
  });

  it("captures the baseline in the same drain, just before the update (R3.3)", () => {
    const jobs = [aLockedJob({ baseline: null, capture: true })];
    const world = until(aWorld(medium({ jobs }), steady, NO_FAULTS), (w) => w.s.targets[0]?.step === "accepted");
    const sent = kinds(world, "gpu001");
    expect(sent.slice(2, 9)).toEqual([
      "drain/1",
      "reserve/1",
      "start_run/1",
      "start_run.2/1",
      "start_run.3/1",
      "unreserve/1",
      "start_update/1",
    ]);
    expect(sent.filter((k) => k.startsWith("reserve"))).toEqual(["reserve/1", "reserve.2/1"]);
    expect(world.s.jobs[0]?.baseline).not.toBeNull();
  });

  it("goes through all batches and both validations once signed and read, and leaves nothing behind (R5.4, R11.5)", () => {
    const done = (w: World): boolean =>
      isThrough(w.s) &&
      w.s.checks.filter((c) => c.gate === "spot_validation").some((c) => c.verdict === "pass") &&
      w.s.obligations.length === 0;
    const world = until(aWorld(medium(), steady, NO_FAULTS), done, peopleSign);
    expect(world.s.targets.every((t) => t.step === "accepted")).toBe(true);
    expect(world.s.checks.filter((c) => c.gate === "fabric_validation").map((c) => [c.members.length, c.verdict])).toEqual([[12, "pass"]]);
    const asked = world.s.commands.filter((c) => c.key.includes("/fabric_validation/") && c.request.kind === "start_run");
    expect(asked.map((c) => (c.request.kind === "start_run" ? c.request.job?.script : ""))).toEqual([
      `all 96 ${world.s.targets.map((t) => t.name).join(",")}`,
    ]);
    expect(world.s.checks.filter((c) => c.gate === "spot_validation")).toHaveLength(2);
    expect(world.s.rollback).toMatchObject({ failedBatches: 0, streak: 3 });
  });
});
