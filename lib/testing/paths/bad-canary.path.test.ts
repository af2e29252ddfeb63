import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan, ncclJob } from "@/lib/demo/driver-plan";
import { follow } from "@/lib/demo/follow";
import { startSimulatedSite, type SimulatedSite } from "./simulated-site";
import { disposableClusters } from "./simulated-world";

const H100 = "h100-8/cx7-8/ubuntu22";
const canaryOf = (cluster: string): string => `${cluster}001`;
const REMAPPED = "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS";

let site: SimulatedSite;
beforeAll(async () => {
  site = await startSimulatedSite({
    world: disposableClusters({ slow: {}, wrong: {}, series: {}, old: {} }, (cluster) => cluster),
    factor: 6,
  });
  expect(await site.crew["LT"]!.post("/acceptance-jobs", ncclJob("nccl-h100", H100))).toMatchObject({ status: 201 });
});
afterAll(() => site.stop());

/** Runs a change until its canary is judged; the fault begins when the canary reaches the step, so that the baseline before it is a good one. */
async function canaryWith(cluster: string, from: string, fault: { fault: string } & Record<string, unknown>): Promise<ChangeView> {
  const plan = driverPlan({
    cluster,
    nodes: ["001", "003", "005", "007"].map((n) => cluster + n).join(","),
    from: "570.133.20",
    to: "570.172.08",
    jobs: ["nccl-h100@1"],
    now: await site.deps.clock.now(),
  });
  const made = await site.crew["AK"]!.post("/changes", plan);
  expect(made).toMatchObject({ status: 201 });
  let begun = false;
  return await follow(String(made.body["id"]), {
    crew: site.crew,
    by: {},
    inputs: CREW_INPUTS,
    timeoutMs: 500_000,
    stop: (view) => {
      const canary = view.targets.find((target) => target.name === canaryOf(cluster));
      const passed = ["draining", "updating", "rebooting", "observing", "validating"].indexOf(canary?.step ?? "");
      if (!begun && passed >= ["draining", "updating"].indexOf(from)) {
        begun = true;
        void site.fault({ cluster, node: canaryOf(cluster), ...fault });
      }
      const judged = ["failed", "unresolved", "rolled_back", "rollback_failed"].includes(canary?.step ?? "");
      return judged && view.nextAction.by === "person";
    },
  });
}

const rows: readonly [string, string, string, { fault: string } & Record<string, unknown>, RegExp, string, RegExp][] = [
  ["17 % slow", "slow", "updating", { fault: "all-reduce-slow", percent: 17 }, /busbw|bandwidth|below|83/i, "fail", /^decide$/],
  ["with wrong output", "wrong", "updating", { fault: "wrong-output", wrong: 18 }, /18 wrong values/, "fail", /^decide$/],
  [
    "with a missing series (case 9)",
    "series",
    "updating",
    { fault: "series-absent", metric: REMAPPED, gpu: 7 },
    /7 of 8.*missing.*7/,
    "unresolved",
    /run-check|waive/,
  ],
  ["that came back with the old driver", "old", "draining", { fault: "driver-old" }, /570\.133\.20/, "fail", /^decide$/],
];

it("each bad canary is caught, explained and blocks the batches (R2, R3, R7)", { timeout: 600_000 }, async () => {
  const seen = await Promise.all(rows.map(async ([, cluster, from, fault]) => await canaryWith(cluster, from, fault)));
  const { journal } = await site.world();
  for (const [i, [says, cluster, , , because, verdict, next]] of rows.entries()) {
    const view = seen[i]!;
    const bad = view.checks.filter((check) => check.on === canaryOf(cluster) && check.generation === 1 && check.verdict === verdict);
    expect([says, bad.map((check) => check.because).join("; ")]).toEqual([says, expect.stringMatching(because)]);
    expect([says, view.nextAction.action]).toEqual([says, expect.stringMatching(next)]);
    const starts = view.actions.filter((one) => one.action === "start-batch");
    expect([says, starts.length > 0 && starts.every((one) => !one.permitted && one.because.length > 0)]).toEqual([says, true]);
    const touched = journal.filter((deed) => deed.cluster === cluster && deed.what === "drain").map((deed) => deed.node);
    expect([says, [...new Set(touched)]]).toEqual([says, [canaryOf(cluster)]]);
  }
});
