import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aPreflight } from "@/lib/testing/a-check";
import { aDecision, aSignOff } from "@/lib/testing/a-decision";
import { aHash } from "@/lib/testing/a-hash";
import { NOW, at } from "@/lib/testing/a-moment";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { VERDICTS } from "@/lib/core/check/verdict";
import { approvalInForce } from "./approval";
import { gateStates, signedClasses } from "./gate";
import { PROFILES } from "./gate-profiles";
import { NODE_OUTCOMES, NODE_STEPS } from "./step";
import { permittedActions } from "./permitted-actions";
import { Policy } from "./policy";
import type { Snapshot } from "./snapshot";
import { tally } from "./tally";

const policy = Policy.parse({});
const profile = fc.constantFrom(...PROFILES);
const step = fc.constantFrom(...NODE_STEPS);
const decisions = fc.subarray([
  aDecision(),
  aSignOff(),
  aDecision({ id: "d3", kind: "finding_accepted", on: { what: "finding", id: "recovery_untested" } }),
]);
const record: fc.Arbitrary<Snapshot> = fc
  .record({
    profile,
    steps: fc.array(step, { minLength: 12, maxLength: 12 }),
    decisions,
    verdicts: fc.array(fc.option(fc.constantFrom(...VERDICTS)), { minLength: 13, maxLength: 13 }),
  })
  .map(({ profile, steps, decisions, verdicts }) =>
    aSnapshot({
      change: { profile },
      decisions,
      checks: aPreflight().map((c, i) => ({ ...c, verdict: verdicts[i] ?? null })),
      targets: steps.map((s, i) => aTarget(i + 1, { step: s })),
    }),
  );

describe("what holds for every record", () => {
  it("an edited plan voids every approval and every sign-off, whatever else is true (R4.1)", () =>
    fc.assert(
      fc.property(record, fc.string({ minLength: 1 }), (s, text) => {
        const edited = {
          ...s,
          change: { ...s.change, planFingerprint: aHash(`edited ${text}`), standingFingerprint: aHash(`edited ${text}`) },
        };
        expect(approvalInForce(edited, NOW).inForce).toBe(false);
        expect(gateStates(edited, policy, NOW).plan_approval.is).not.toBe("done");
        if (edited.change.profile !== "rehearsal") expect(signedClasses(edited, NOW)).toEqual([]);
      }),
    ));

  it("a narrowing voids nothing (R4.2)", () =>
    fc.assert(
      fc.property(record, fc.integer({ min: 1, max: 4 }), (s, batchSize) => {
        const narrower = {
          ...s,
          narrowing: { batchSize, interBatchMs: 600_000, limits: [{ check: "fabric all-reduce", limit: "busbw > 97%" }] },
        };
        expect(gateStates(narrower, policy, NOW)).toEqual(gateStates(s, policy, NOW));
      }),
    ));

  it("no node may go out after an unresolved, failed or unjudged gate (R7.5)", () =>
    fc.assert(
      fc.property(record, (s) => {
        const blocking = s.checks.some((c) => c.verdict !== "pass" && c.verdict !== "not_applicable");
        const open = permittedActions(s, policy, NOW).filter(
          (a) => (a.action === "start-canary" || a.action === "start-batch") && a.permitted,
        );
        if (blocking || !approvalInForce(s, NOW).inForce) expect(open).toEqual([]);
        if (s.targets.some((t) => t.step === "unresolved")) expect(open.filter((a) => a.action === "start-batch")).toEqual([]);
      }),
    ));

  it("every target is counted once, in one of sixteen words (R8.6)", () =>
    fc.assert(
      fc.property(record, (s) => {
        const counts = tally(s.targets);
        expect(Object.keys(counts)).toEqual([...NODE_OUTCOMES]);
        expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(s.targets.length);
      }),
    ));

  it("every closed action says why", () =>
    fc.assert(
      fc.property(record, (s) => {
        for (const state of permittedActions(s, policy, NOW)) expect(state.permitted || state.because.length > 0).toBe(true);
      }),
      { numRuns: 30 },
    ));

  it("a waiver counts until its end and not a moment longer, and never for a failure (R2.7)", () =>
    fc.assert(
      fc.property(fc.integer({ min: -60, max: 60 }), fc.constantFrom("unresolved" as const, "fail" as const), (minutes, verdict) => {
        const rows = aPreflight().map((c, i) => (i === 0 ? { ...c, verdict, waivable: true, waivedUntil: at(minutes) } : c));
        const done = gateStates(aSnapshot({ checks: rows }), policy, NOW).preflight.is === "done";
        expect(done).toBe(verdict === "unresolved" && minutes > 0);
      }),
    ));
});
