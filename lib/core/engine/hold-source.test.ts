import { describe, expect, it } from "vitest";
import { nextAction } from "@/lib/core/change/next-action";
import { Policy } from "@/lib/core/change/policy";
import type { SourceView, Snapshot } from "@/lib/core/change/snapshot";
import { aBatch } from "@/lib/testing/a-batch";
import { aCommand } from "@/lib/testing/a-command";
import { aHold } from "@/lib/testing/a-hold";
import { NOW, at } from "@/lib/testing/a-moment";
import { aPlan } from "@/lib/testing/a-plan";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aValue } from "@/lib/testing/a-target";
import { inStep, someTargets } from "@/lib/testing/some-targets";
import { ruled } from "@/lib/testing/ruling-said";
import { decide } from "./decide";

const policy = Policy.parse({});
const source = (name: string, confirmed: number, failed: number | null): SourceView => ({
  source: name,
  confirmsAt: at(confirmed),
  failedAt: failed === null ? null : at(failed),
  reason: failed === null ? null : "connection refused",
});
const drained = { service: aValue(aService({ state: "drained", reason: "clearance:chg-1/gpu002", ours: true })) };
const drain = aCommand(2, { request: { kind: "drain", node: "gpu002", reason: "clearance:chg-1/gpu002" } });
/** The canary is accepted; gpu002 is drained and empty, its update would begin now. */
const ready = (sources: readonly SourceView[], more: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({
    targets: someTargets({ t1: { step: "accepted", updateBegan: true }, t2: inStep("draining", drained) }, 2),
    batches: [aBatch(1, { state: "running", askedFor: true })],
    commands: [drain],
    sources,
    ...more,
  });
const holds = (s: Snapshot): readonly string[] => ruled(decide(s, policy, NOW)).filter((w) => /hold|lift|updating/.test(w));

describe("a source that the decisions rest on is silent while nodes are in hand (R7.6, R2.3)", () => {
  it.each([
    ["it answers: the update begins", [source("slurm", 0, null)], ["t2>updating"]],
    ["one read failed and the last good one is fresh: it begins", [source("slurm", 0, 0)], ["t2>updating"]],
    ["it failed once and answers again: it begins", [source("slurm", 0, -5)], ["t2>updating"]],
    ["the scheduler has been silent for five minutes: held, nothing begins", [source("slurm", -5, -1)], ["hold source_lost"]],
    [
      "the metrics have: held too, the checks after the update rest on them",
      [source("slurm", 0, null), source("prometheus", -5, -1)],
      ["hold source_lost"],
    ],
  ])("%s", (_says, sources, expected) => expect(holds(ready(sources)).filter((w) => !w.startsWith("~"))).toEqual(expected));

  it("metrics that the plan does not ask for hold nothing", () =>
    expect(holds(ready([source("slurm", 0, null), source("prometheus", -5, -1)], { plan: aPlan({ telemetry: [] }) }))).toEqual([
      "t2>updating",
    ]));

  it("what is under surgery goes on", () => {
    const s = ready([source("slurm", -5, -1)], {
      targets: someTargets({ t1: { step: "accepted" }, t2: inStep("updating", { updateBegan: true, ...drained }) }, 2),
    });
    expect(ruled(decide(s, policy, NOW))).toContain("!gpu002/start_update/1");
  });

  it("says which source, since when and why; it is nobody's to lift, and ends when the source answers", () => {
    const silent = ready([source("slurm", -5, -1)]);
    const hold = decide(silent, policy, NOW).moves.find((m) => m.move === "hold");
    expect(hold).toMatchObject({ because: expect.stringMatching(/slurm.*connection refused/) });
    const held = ready([source("slurm", -5, -1)], { holds: [aHold({ kind: "source_lost", because: "slurm does not answer" })] });
    expect(nextAction(held, policy, NOW)).toMatchObject({ by: "worker" });
    expect(holds(held).filter((w) => !w.startsWith("~"))).toEqual([]);
    const back = { ...held, sources: [source("slurm", 0, -1)] };
    expect(holds(back).filter((w) => !w.startsWith("~"))).toEqual(["lift source_lost", "t2>updating"]);
  });

  it("with no node in hand nothing is held: no node goes out without a fresh list anyway", () => {
    const s = ready([source("slurm", -5, -1)], { targets: someTargets({ t1: { step: "accepted" } }, 2), commands: [] });
    expect(holds(s).filter((w) => w.startsWith("hold"))).toEqual([]);
  });
});
