import { describe, expect, it } from "vitest";
import { GATES } from "@/lib/core/check/gate-id";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aDecision, aSignOff } from "@/lib/testing/a-decision";
import { aFinding } from "@/lib/testing/a-finding";
import { aHash } from "@/lib/testing/a-hash";
import { aBaseline, aLockedJob } from "@/lib/testing/a-job";
import { NOW, at } from "@/lib/testing/a-moment";
import { MR } from "@/lib/testing/a-person";
import { aRehearsalFinding, aRehearsalView } from "@/lib/testing/a-rehearsal";
import { aReadingView, aReport, aReportView } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { gateStates, gatesBefore, signedClasses } from "./gate";
import { PROFILES } from "./gate-profiles";
import { Policy } from "./policy";
import type { Snapshot } from "./snapshot";

const policy = Policy.parse({});
const is = (s: Snapshot) => Object.fromEntries(Object.entries(gateStates(s, policy, NOW)).map(([gate, state]) => [gate, state.is]));

describe("gates in order (R7.5)", () => {
  it("a change with a signed and read canary has its first open gate at the batches", () => {
    const states = is(aSnapshot());
    expect(GATES.slice(0, 9).map((gate) => states[gate])).toEqual(Array(9).fill("done"));
    expect(states["batches"]).toBe("open");
    expect(states["close"]).toBe("later");
    expect(signedClasses(aSnapshot(), NOW)).toEqual([1]);
  });

  const rows: readonly [string, Snapshot, string, string][] = [
    ["no job is locked", aSnapshot({ jobs: [] }), "acceptance_job", "open"],
    ["the baseline was retired", aSnapshot({ jobs: [aLockedJob({ baseline: aBaseline({ retiredAt: at(-1) }) })] }), "baseline", "open"],
    ["the baseline is of another class", aSnapshot({ jobs: [aLockedJob({ baseline: aBaseline({ classId: 2 }) })] }), "baseline", "open"],
    ["the baseline is captured by the canary", aSnapshot({ jobs: [aLockedJob({ baseline: null, capture: true })] }), "baseline", "done"],
    ["no rehearsal is linked", aSnapshot({ rehearsals: [] }), "rehearsal", "open"],
    [
      "the failing test was rehearsed 181 days ago",
      aSnapshot({
        rehearsals: [
          aRehearsalView("failure", { finding: aRehearsalFinding({ endedAt: at(-181 * 24 * 60).toISOString() }) }),
          aRehearsalView("recovery"),
        ],
      }),
      "rehearsal",
      "open",
    ],
    [
      "recovery is untested and an approver accepted that",
      aSnapshot({
        rehearsals: [aRehearsalView("failure")],
        decisions: [
          aDecision(),
          aSignOff(),
          aDecision({ id: "d-3", kind: "finding_accepted", on: { what: "finding", id: "recovery_untested" } }),
        ],
      }),
      "rehearsal",
      "done",
    ],
    [
      "the approval was for another plan",
      aSnapshot({ decisions: [aDecision({ fingerprint: aHash("plan 0") }), aSignOff()] }),
      "plan_approval",
      "open",
    ],
    ["the approval was revoked", aSnapshot({ decisions: [aDecision({ revoked: true }), aSignOff()] }), "plan_approval", "open"],
    ["a finding of the preview is open", aSnapshot({ findings: [aFinding()] }), "plan_approval", "open"],
    ["preflight passed 12 h and a minute ago", aSnapshot({ change: { preflightPassedAt: at(-721) } }), "preflight", "open"],
    ["preflight passed 12 h ago", aSnapshot({ change: { preflightPassedAt: at(-720) } }), "preflight", "done"],
    [
      "one preflight row is unresolved",
      aSnapshot({ checks: [...aPreflight().slice(1), ...aPreflight({ verdict: "unresolved" }).slice(0, 1)] }),
      "preflight",
      "open",
    ],
    ["the canary is still validating", aSnapshot({ targets: [aTarget(1, { step: "validating" }), aTarget(2)] }), "canary", "open"],
    [
      "the report has a finding that is unresolved",
      aSnapshot({
        reports: [aReportView({ body: aReport({ correct: { verdict: "unresolved", reason: "no_data", because: "validation off" } }) })],
      }),
      "acceptance_report",
      "open",
    ],
    [
      "the sign-off was of an earlier report",
      aSnapshot({ reports: [aReportView(), aReportView({ id: "report-2", number: 2 })] }),
      "sign_off",
      "open",
    ],
    [
      "the sign-off was of an earlier plan",
      aSnapshot({ decisions: [aDecision(), aSignOff({ facts: { plan: aHash("plan 0") } })] }),
      "sign_off",
      "open",
    ],
    [
      "the canary was voided after it was signed",
      aSnapshot({
        decisions: [
          aDecision(),
          aSignOff(),
          aDecision({ id: "v", kind: "canary_void", on: { what: "report", id: "report-1" }, at: at(-1) }),
        ],
      }),
      "sign_off",
      "open",
    ],
    ["nobody has read the record", aSnapshot({ readings: [] }), "second_reading", "open"],
    [
      "the second reader could not tell something",
      aSnapshot({ readings: [aReadingView()], findings: [aFinding({ kind: "second_reading", key: "second_reading/report-1/decides" })] }),
      "second_reading",
      "open",
    ],
  ];
  it.each(rows)("%s", (_says, s, gate, state) => expect(is(s)[gate]).toBe(state));

  it("a later gate never counts before an earlier one: whatever stands before the canary closes every touch", () => {
    const s = aSnapshot({ decisions: [aSignOff()] });
    expect(gatesBefore(gateStates(s, policy, NOW), "canary")).toContainEqual(expect.objectContaining({ code: "not_yet" }));
  });
});

describe("the end (R11.5, R1.13)", () => {
  const done = () => aSnapshot().targets.map((t) => ({ ...t, step: "accepted" as const, updateBegan: true }));
  const validated = (verdict: "pass" | "fail" | "unresolved", gate: "fabric_validation" | "spot_validation") =>
    aCheck({ gate, scope: "change", targetId: null, name: gate, verdict, judgedAt: at(-1) });
  it("a failed fabric validation is a result, an unresolved one is none", () => {
    expect(is(aSnapshot({ targets: done(), checks: [...aPreflight(), validated("fail", "fabric_validation")] }))["fabric_validation"]).toBe(
      "done",
    );
    expect(
      is(aSnapshot({ targets: done(), checks: [...aPreflight(), validated("unresolved", "fabric_validation")] }))["fabric_validation"],
    ).toBe("open");
  });
  it("the definition has to be confirmed, and not longer ago than 15 minutes", () => {
    const row = (minutes: number) =>
      aCheck({
        gate: "definition_agrees",
        scope: "change",
        targetId: null,
        spec: { kind: "configuration", field: "cluster_definition", component: "gpu_driver", wanted: "570.172.08" },
        judgedAt: at(minutes),
      });
    expect(is(aSnapshot({ targets: done() }))["definition_agrees"]).toBe("later");
    expect(is(aSnapshot({ targets: done(), checks: [...aPreflight(), row(-16)] }))["definition_agrees"]).toBe("later");
    expect(is(aSnapshot({ targets: done(), checks: [...aPreflight(), row(-14)] }))["definition_agrees"]).toBe("done");
  });
});

describe("gates by profile (R7.5)", () => {
  const table: Record<(typeof PROFILES)[number], Partial<Record<(typeof GATES)[number], string>>> = {
    low: { second_reading: "not_applicable", fabric_validation: "later", spot_validation: "later" },
    medium: { second_reading: "done", rehearsal: "done", fabric_validation: "later" },
    high: { second_reading: "done", rehearsal: "done", spot_validation: "later" },
    emergency: { second_reading: "not_applicable", rehearsal: "open", plan_approval: "done" },
    rehearsal: {
      rehearsal: "not_applicable",
      fabric_validation: "not_applicable",
      spot_validation: "not_applicable",
      second_reading: "not_applicable",
    },
  };
  it.each(PROFILES)("%s", (profile) => {
    const s = aSnapshot({ change: { profile }, rehearsals: profile === "emergency" ? [] : aSnapshot().rehearsals });
    expect(is(s)).toMatchObject(table[profile]);
  });
  it("high asks for a rehearsal of this very version", () => {
    const other = aRehearsalFinding({ targetVersion: "550.90.07" });
    const s = aSnapshot({
      change: { profile: "high" },
      rehearsals: [aRehearsalView("failure", { finding: other }), aRehearsalView("recovery")],
    });
    expect(is(s)["rehearsal"]).toBe("open");
  });
  it("CUDA needs no fabric validation", () => {
    expect(is(aSnapshot({ change: { profile: "low", type: "cuda_toolkit" } }))["fabric_validation"]).toBe("not_applicable");
  });
  it("low is covered by a standing approval of the same text, for six months", () => {
    const standing = (when: Date) => [
      aDecision({ kind: "standing_approval", at: when, until: at(60), fingerprint: aHash("standing 1"), byId: MR }),
    ];
    const s = (when: Date, profile: "low" | "medium") =>
      aSnapshot({ change: { profile }, decisions: [aSignOff()], standing: standing(when) });
    expect(is(s(at(-60), "low"))["plan_approval"]).toBe("done");
    expect(is(s(at(-60), "medium"))["plan_approval"]).toBe("open");
    expect(is(s(new Date("2026-06-08T22:59:00.000Z"), "low"))["plan_approval"]).toBe("open");
  });
  it("a rehearsal may go without canaries and without a job", () => {
    const rehearsal = aSnapshot({
      change: { profile: "rehearsal" },
      jobs: [],
      reports: [],
      targets: [aTarget(1, { role: "member" }), aTarget(2)],
    });
    const s = { ...rehearsal, plan: { ...rehearsal.plan, acceptance: [] } };
    const states = is(s);
    expect([states["acceptance_job"], states["baseline"], states["canary"], states["sign_off"]]).toEqual(Array(4).fill("not_applicable"));
    expect(signedClasses(s, NOW)).toEqual([1]);
    // A job that the plan names is not passed over in silence: a slow canary would be accepted without it.
    expect(is(rehearsal)["acceptance_job"]).toBe("open");
  });
});
