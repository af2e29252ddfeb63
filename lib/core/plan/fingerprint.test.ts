import { describe, expect, it } from "vitest";
import { aPlan } from "@/lib/testing/a-plan";
import { aJobSpec } from "@/lib/testing/a-job";
import { coveredPlan, planFingerprintText, standingFingerprintText } from "./fingerprint";
import type { Plan } from "./plan";
import { planDifference } from "./plan-difference";

const NODES = ["gpu10", "gpu9"];
const textOf = (plan: Plan, nodes = NODES): string => planFingerprintText(plan, nodes, [aJobSpec()]);

describe("planFingerprintText (R4.1)", () => {
  it.each<[string, Partial<Plan>]>([
    ["the title", { title: "another" }],
    ["the ticket", { ticket: null }],
    ["the windows", { windows: [] }],
    ["how long mixed versions are agreed", { mixedUntil: "2027-01-01T00:00:00.000Z" }],
    ["the people", { people: { ...aPlan().people, approver: ["XX"] } }],
    ["how the same nodes were written", { target: { ...aPlan().target, nodes: "gpu9,gpu10" } }],
  ])("does not cover %s", (_, change) => expect(textOf(aPlan(change))).toBe(textOf(aPlan())));

  it.each<[string, Partial<Plan>]>([
    ["the target version", { target: { ...aPlan().target, version: "570.172.09" } }],
    ["the batch size", { batchSize: 5 }],
    ["the leaf limit", { maxNodesPerLeaf: 2 }],
    ["the delay", { interBatchDelayMs: 0 }],
    ["the canaries", { canaries: { perClass: 2, nodes: [] } }],
    ["an update command", { update: [] }],
    ["a validation", { validate: [] }],
    ["telemetry", { telemetry: [] }],
    ["rollback", { rollback: [] }],
    ["the acceptance job", { acceptance: [{ job: "nccl-h100", version: 4, baseline: "baseline-1" }] }],
    ["the limit of nodes out", { maxUnavailable: { percent: 20 } }],
  ])("covers %s", (_, change) => expect(textOf(aPlan(change))).not.toBe(textOf(aPlan())));

  it("covers the resolved nodes, in whatever order they come", () => {
    expect(textOf(aPlan(), ["gpu9", "gpu10", "gpu9"])).toBe(textOf(aPlan()));
    expect(textOf(aPlan(), ["gpu9"])).not.toBe(textOf(aPlan()));
  });

  it("covers what the job asks", () => {
    expect(planFingerprintText(aPlan(), NODES, [aJobSpec({ repeats: 9 })])).not.toBe(textOf(aPlan()));
  });
});

describe("standingFingerprintText (R7.5)", () => {
  const withVersion = (version: string): Plan => {
    const plan = aPlan();
    return {
      ...plan,
      title: version,
      target: { ...plan.target, version },
      update: plan.update.map((u) => ({ ...u, run: `install-driver ${version}` })),
      validate: plan.validate.map((v) => (v.expect ? { ...v, expect: { every: version } } : v)),
    };
  };
  const standing = (plan: Plan): string => standingFingerprintText(plan, NODES, []);

  it("is the same for another version, wherever it is mentioned", () => {
    expect(standing(withVersion("570.172.08"))).toBe(standing(withVersion("570.180.01")));
  });

  it("is another for another command, and is never the plan's own", () => {
    const plan = withVersion("570.172.08");
    const other = { ...plan, update: plan.update.map((u) => ({ ...u, run: `${u.run} --force` })) };
    expect(standing(other)).not.toBe(standing(plan));
    expect(standing(plan)).not.toBe(planFingerprintText(plan, NODES, []));
  });

  it("blanks whole mentions only", () => {
    const of = (run: string): string =>
      standing({ ...aPlan({ update: [{ name: "u", on: "node", run, timeoutMs: 1 }] }), target: { ...aPlan().target, version: "1.2" } });
    expect(of("x 11.2")).toContain("x 11.2");
    expect(of("x 1.2.3")).toContain("x 1.2.3");
    expect(of("x-1.2.rpm")).toContain("x-1.2.rpm");
    expect(of("x 1.2;")).toContain("x {version};");
  });
});

describe("planDifference", () => {
  it("names what an edit changed, by path", () => {
    const was = aPlan();
    const now = aPlan({
      batchSize: 8,
      title: "other",
      validate: was.validate.map((v) => (v.name === "driver version" ? { ...v, run: "nvidia-smi -q" } : v)),
    });
    const seen = planDifference(coveredPlan(was, ["a", "b"], []), coveredPlan(now, ["b", "c"], []));
    expect([...seen].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "batchSize", was: "4", now: "8" },
      { path: "nodes", was: "a", now: "c" },
      { path: "validate[driver version].run", was: expect.any(String) as string, now: "nvidia-smi -q" },
    ]);
  });

  it("is empty for the same plan", () => expect(planDifference(aPlan(), aPlan())).toEqual([]));
});
