import { describe, expect, it } from "vitest";
import { applyAction } from "@/lib/core/change/apply-action";
import { nodesPerLeaf } from "@/lib/core/change/relaxation";
import { Policy } from "@/lib/core/change/policy";
import type { DecisionView, Snapshot } from "@/lib/core/change/snapshot";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck } from "@/lib/testing/a-check";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aDecision } from "@/lib/testing/a-decision";
import { aHash } from "@/lib/testing/a-hash";
import { aLockedJob } from "@/lib/testing/a-job";
import { NOW, at } from "@/lib/testing/a-moment";
import { MR } from "@/lib/testing/a-person";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { runOf } from "@/lib/testing/small-world-record";
import { decide } from "./decide";
import { judgeAcceptance } from "./judge-evidence";
import { lookAt } from "./look";

const policy = Policy.parse({});
const granted = (what: string, value: number | string, more: Partial<DecisionView> = {}): DecisionView =>
  aDecision({ id: "d-relax", kind: "relaxation", choice: "grant", until: at(60), facts: { what, value }, ...more });
const grant = (s: Snapshot, what: string, value: number | string) =>
  applyAction(
    s,
    { action: "grant-relaxation", what: what as "warning_limit", value, until: at(60).toISOString(), reason: "a rail site" },
    { now: NOW, policy, hash: aHash, id: "d-1", actor: { id: MR, roles: ["approver"] } },
  );

/** Two canaries on one leaf, both asked for. */
const canaries = (decisions: readonly DecisionView[]): Snapshot => {
  const leaves = aTarget(1).leaves;
  return aSnapshot({
    targets: [aTarget(1, { role: "canary" }), aTarget(2, { role: "canary", leaves }), aTarget(3)],
    batches: [aBatch(1)],
    decisions: [aDecision(), ...decisions],
    reports: [],
    readings: [],
  });
};
const taken = (s: Snapshot): readonly string[] =>
  decide(s, policy, NOW).moves.flatMap((m) => (m.move === "target" && m.to === "checking" ? [m.id as string] : []));

describe("more nodes of a leaf than planned, by an approver's relaxation (R5.2)", () => {
  it("canaries on one leaf go one after the other, and together while it stands", () => {
    expect(taken(canaries([]))).toEqual(["t1"]);
    expect(taken(canaries([granted("maxNodesPerLeaf", 2)]))).toEqual(["t1", "t2"]);
    expect(taken(canaries([granted("maxNodesPerLeaf", 2, { until: NOW })]))).toEqual(["t1"]);
    expect(taken(canaries([granted("maxNodesPerLeaf", 2, { revoked: true })]))).toEqual(["t1"]);
  });

  it("a plan that is laid out again gets that many; the plan itself keeps its number", () => {
    const s = canaries([granted("maxNodesPerLeaf", 4)]);
    expect([nodesPerLeaf(s, NOW), nodesPerLeaf(s, at(60)), s.plan.maxNodesPerLeaf]).toEqual([4, 1, 1]);
  });

  it("is refused where it would relax nothing", () => {
    expect(grant(aSnapshot(), "maxNodesPerLeaf", 1)).toMatchObject({ ok: false, error: { code: "invalid" } });
    expect(grant(aSnapshot(), "maxNodesPerLeaf", "50%")).toMatchObject({ ok: false, error: { code: "invalid" } });
    expect(grant(aSnapshot(), "maxNodesPerLeaf", 2)).toMatchObject({ ok: true });
  });
});

/** The canary's acceptance runs at 93 % of the baseline: above what fails (90 %), not above what warns (95 %). */
function judged(decisions: readonly DecisionView[], share = 0.93) {
  const check = aCheck({
    gate: "canary",
    name: "acceptance job",
    verdict: null,
    spec: { kind: "acceptance", jobId: "nccl-h100@3", purpose: "canary" },
  });
  const request = {
    kind: "start_run" as const,
    node: "gpu001",
    nodes: ["gpu001"],
    checkId: check.id,
    job: { id: "nccl-h100@3", purpose: "canary" as const, script: "", name: "run", reservation: "r", repeat: 1, parser: "nccl-tests" },
    run: null,
    on: "node" as const,
    parser: "nccl-tests",
    timeoutMs: 60_000,
  };
  const command = aCommand(1, { request, outcome: anOutcome({ exitCode: 0 }) });
  const run = runOf(command, NOW, 0);
  const measurements = (run?.measurements ?? []).map((m) => ({ ...m, value: 460 * share }));
  const s = aSnapshot({
    jobs: [aLockedJob()],
    decisions: [aDecision(), ...decisions],
    checks: [check],
    commands: [command],
    runs: run === null ? [] : [{ ...run, measurements }],
    targets: [aTarget(1, { step: "validating", updateBegan: true })],
  });
  const [t] = s.targets;
  const [job] = s.jobs;
  if (t === undefined || job === undefined) throw new Error("nothing to judge");
  return judgeAcceptance(lookAt(s, policy, NOW), t, check, job).metrics[0]?.verdict;
}

describe("a warning limit, by an approver's relaxation", () => {
  it("93 % of the baseline warns, and does not while a looser warning stands; what fails stays as locked", () => {
    expect(judged([])).toBe("warning");
    expect(judged([granted("warning_limit", "nccl-h100: busbw > 92%")])).toBe("pass");
    expect(judged([granted("warning_limit", "nccl-h100: busbw > 92%", { until: NOW })])).toBe("warning");
    expect(judged([granted("warning_limit", "nccl-h100: busbw > 92%")], 0.9)).toBe("fail");
  });

  it.each([
    ["another job", "fabric: busbw > 92%", false],
    ["no limit at all", "nccl-h100: fast", false],
    ["a stricter warning, which is a narrowing", "nccl-h100: busbw > 97%", false],
    ["a warning below what fails", "nccl-h100: busbw > 80%", false],
    ["a looser warning", "nccl-h100: busbw > 92%", true],
  ])("%s", (_says, value, isGranted) => expect(grant(aSnapshot(), "warning_limit", value).ok).toBe(isGranted));
});
