import { describe, expect, it } from "vitest";
import { nextAction } from "@/lib/core/change/next-action";
import { applyAction } from "@/lib/core/change/apply-action";
import { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { RunExecution } from "@/lib/core/acceptance/run";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck } from "@/lib/testing/a-check";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aDecision } from "@/lib/testing/a-decision";
import { aHash } from "@/lib/testing/a-hash";
import { aLockedJob } from "@/lib/testing/a-job";
import { A_CLASS } from "@/lib/testing/a-layout";
import { NOW } from "@/lib/testing/a-moment";
import { AK } from "@/lib/testing/a-person";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { runOf } from "@/lib/testing/small-world-record";
import { aService, aTarget, aValue } from "@/lib/testing/a-target";
import { applyMoves } from "./apply-moves";
import { decide } from "./decide";

const policy = Policy.parse({});
const check = aCheck({
  gate: "baseline",
  name: "baseline runs",
  verdict: null,
  judgedAt: null,
  spec: { kind: "acceptance", jobId: "nccl-h100@3", purpose: "baseline" },
});

/** The canary measures its own baseline and its first run has ended like this. */
function measured(execution: Partial<RunExecution>): Snapshot {
  const job = {
    id: "nccl-h100@3",
    purpose: "baseline" as const,
    script: "srun all_reduce_perf",
    name: "clearance-chg-1-gpu001-1-1",
    reservation: null,
    repeat: 1,
    parser: "nccl-tests",
  };
  const command = aCommand(1, {
    kind: "start_run",
    state: "succeeded",
    request: {
      kind: "start_run",
      node: "gpu001",
      nodes: ["gpu001"],
      checkId: check.id,
      job,
      run: null,
      on: "node",
      parser: "nccl-tests",
      timeoutMs: 60_000,
    },
    outcome: anOutcome({ exitCode: execution.exitCode ?? 0 }),
  });
  const run = runOf(command, NOW, execution.exitCode ?? 0);
  const reserve = aCommand(1, { kind: "reserve", state: "succeeded", outcome: anOutcome() });
  return aSnapshot({
    jobs: [aLockedJob({ baseline: null, capture: true })],
    targets: [aTarget(1, { step: "measuring", service: aValue(aService({ state: "drained", ours: true })) }), aTarget(2), aTarget(3)],
    batches: [aBatch(1, { state: "running", askedFor: true })],
    checks: [...aSnapshot().checks, check],
    commands: [reserve, command],
    runs: run === null ? [] : [run],
    reports: [],
    readings: [],
    decisions: [aDecision()],
  });
}

/** The record after one look, and what the canary's check and step are in it. */
function after(s: Snapshot): { readonly s: Snapshot; readonly check: unknown; readonly step: unknown } {
  const ruling = decide(s, policy, NOW);
  const next = applyMoves(s, ruling.moves, ruling.commands, NOW);
  return { s: next, check: next.checks.find((c) => c.id === check.id)?.verdict, step: next.targets[0]?.step };
}

describe("a captured baseline that is not correct: the update does not start (R3.3)", () => {
  it("that could not be run is unresolved, as its node is (R2.3, R2.4)", () => {
    const seen = after(measured({ exitCode: 127 }));
    expect([seen.check, seen.step]).toEqual(["unresolved", "unresolved"]);
    expect(nextAction(seen.s, policy, NOW)).toMatchObject({ by: "person", action: "run-check", on: check.id });
  });

  it("that ran and ended wrong is a failed check; its node was not updated, so it is not failed and nor is its batch (R2.4, R8.1)", () => {
    const seen = after(measured({ exitCode: 3 }));
    expect([seen.check, seen.step, seen.s.targets[0]?.updateBegan]).toEqual(["fail", "unresolved", false]);
    expect([seen.s.batches[0]?.state, seen.s.holds]).toEqual(["running", []]);
    expect(nextAction(seen.s, policy, NOW)).toMatchObject({ by: "person", action: "capture-baseline", on: A_CLASS });
  });

  it("and whose canary nobody wants to measure again is left out: it returns untouched, and another node is the canary (R8.2)", () => {
    const seen = after(measured({ exitCode: 3 }));
    const request = { action: "defer-node" as const, on: "gpu001", reason: "its fabric is broken" };
    const applied = applyAction(seen.s, request, { now: NOW, policy, hash: aHash, id: "d-1", actor: { id: AK, roles: ["operator"] } });
    expect(applied.ok && applied.value.moves).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ move: "target", id: "t1", to: "releasing" }),
        expect.objectContaining({ move: "role", targetId: "t2", role: "canary" }),
      ]),
    );
  });
});
