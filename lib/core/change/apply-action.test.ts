import { describe, expect, it } from "vitest";
import type { Role } from "@/lib/core/access/roles";
import type { PersonId, TargetId } from "@/lib/core/kernel/ids";
import { aFinding } from "@/lib/testing/a-finding";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aDecision, aSignOff } from "@/lib/testing/a-decision";
import { aHash } from "@/lib/testing/a-hash";
import { aHold } from "@/lib/testing/a-hold";
import { aLayout } from "@/lib/testing/a-layout";
import { NOW, at } from "@/lib/testing/a-moment";
import { AK, DV, LT, MR } from "@/lib/testing/a-person";
import { aPlan } from "@/lib/testing/a-plan";
import { aReport, aReportView } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { ActionRequest } from "./action-request";
import { applyAction, type ActionContext } from "./apply-action";
import type { Move } from "./move";
import { Policy } from "./policy";
import type { Snapshot } from "./snapshot";

const policy = Policy.parse({});
const ROLES_OF: Readonly<Record<string, readonly Role[]>> = {
  AK: ["operator"],
  LT: ["workload_owner"],
  MR: ["approver"],
  DV: ["operator"],
  JS: ["viewer"],
};
const as = (id: PersonId, more: Partial<ActionContext> = {}): ActionContext => ({
  actor: { id, roles: ROLES_OF[id] ?? ["viewer"] },
  now: NOW,
  policy,
  hash: aHash,
  id: "id-1",
  ...more,
});
const act = (s: Snapshot, who: PersonId, request: object, more: Partial<ActionContext> = {}) =>
  applyAction(s, ActionRequest.parse(request), as(who, more));
const moves = (result: ReturnType<typeof act>): readonly Move[] => {
  if (!result.ok) throw new Error(result.error.because);
  return result.value.moves;
};
const accepted = aSnapshot().targets.map((t) => ({ ...t, step: "accepted" as const, updateBegan: true }));
const reason = "because of the ticket";

describe("an action is checked before it writes anything", () => {
  it("another version than the one that was seen is a conflict", () =>
    expect(act(aSnapshot(), AK, { action: "pause", reason, version: 6 })).toMatchObject({ ok: false, error: { code: "conflict" } }));
  it("the person is checked before the record", () =>
    expect(act(aSnapshot(), AK, { action: "approve-plan", reason }, { actor: { id: AK, roles: ["operator", "approver"] } })).toMatchObject({
      ok: false,
      error: { code: "not_allowed", reasons: [{ code: "own_work" }] },
    }));
  it("a closed action gives every reason, in words", () =>
    expect(act(aSnapshot({ holds: [aHold()] }), AK, { action: "start-batch", on: "1" })).toMatchObject({
      ok: false,
      error: { code: "closed", because: expect.stringContaining("Held by Anna Krol") },
    }));
  it("something that is not there is not found", () =>
    expect(act(aSnapshot(), AK, { action: "start-batch", on: "99" })).toMatchObject({ ok: false, error: { code: "not_found" } }));
  it.each([
    ["an unknown key", { action: "pause", reason, force: true }],
    ["a decision without a reason", { action: "pause" }],
    ["a reason of spaces", { action: "waive", on: "x", reason: "   ", until: "2027-01-01T00:00:00Z" }],
    ["a waiver without an end", { action: "waive", on: "x", reason }],
    ["an action of a later version", { action: "break-glass", reason }],
  ])("refused when read: %s", (_says, request) => expect(ActionRequest.safeParse(request).success).toBe(false));
});

describe("waiving (R2.7)", () => {
  const unresolved = aCheck({ verdict: "unresolved", targetId: "t2" as TargetId, name: "remapped rows" });
  const s = aSnapshot({
    targets: [aTarget(1, { step: "accepted", updateBegan: true }), aTarget(2, { step: "unresolved" })],
    checks: [...aPreflight(), unresolved],
  });
  const ask = { action: "waive", on: unresolved.id, reason, until: at(60).toISOString() };
  it("is an approver's, has an end, and changes no verdict", () => {
    const written = moves(act(s, MR, ask));
    expect(written).toEqual([expect.objectContaining({ move: "decision", kind: "waiver", checkId: unresolved.id, until: at(60) })]);
    expect(act(s, AK, ask)).toMatchObject({ ok: false, error: { code: "not_allowed" } });
  });
  it("an end in the past is refused", () =>
    expect(act(s, MR, { ...ask, until: at(-1).toISOString() })).toMatchObject({ ok: false, error: { code: "invalid" } }));
  it("a failure cannot be waived", () => {
    const failed = { ...s, checks: [...aPreflight(), { ...unresolved, verdict: "fail" as const }] };
    expect(act(failed, MR, ask)).toMatchObject({ ok: false, error: { code: "closed", reasons: [{ code: "check_failed" }] } });
  });
});

describe("sign-off (R3.5, R4.3)", () => {
  const metric = {
    metric: "busbw",
    bucket: 1,
    placement: "",
    unit: "GB/s",
    baseline: { median: 460, spread: 0, runs: 3 },
    measured: { median: 414.1, spread: 0, runs: 3 },
    ratioPct: 90.02,
    warnBelowPct: 95,
    failAtOrBelowPct: 90,
    judged: true,
    verdict: "warning" as const,
  };
  const s = aSnapshot({ decisions: [aDecision()], readings: [], reports: [aReportView({ body: aReport({ metrics: [metric] }) })] });
  it('"would fail fabric validation" has to be acknowledged by name', () => {
    expect(act(s, MR, { action: "sign-off", on: "report-1", reason })).toMatchObject({
      ok: false,
      error: { because: expect.stringContaining("90.02 % of the baseline, not above 95 %: would fail fabric validation") },
    });
    const written = moves(act(s, MR, { action: "sign-off", on: "report-1", reason, acknowledges: ["metric/busbw/1/"] }));
    expect(written).toMatchObject([
      { kind: "sign_off", fingerprint: aReportView().fingerprint, facts: { plan: s.change.planFingerprint } },
    ]);
  });
  it("a wrong output closes it for everybody", () => {
    const wrong = aReportView({ body: aReport({ correct: { verdict: "fail", reason: "wrong_output", because: "18 wrong values" } }) });
    expect(act({ ...s, reports: [wrong] }, MR, { action: "sign-off", on: "report-1", reason })).toMatchObject({
      ok: false,
      error: { code: "closed" },
    });
  });
  it("a rejected canary goes back and the change is held for the decision owner", () => {
    expect(moves(act(s, MR, { action: "reject-canary", on: "report-1", reason }))).toMatchObject([
      { move: "decision", kind: "rejection" },
      { move: "hold", kind: "canary_rejected", ownerId: DV, batch: 1 },
      { move: "change", to: "ROLLBACK" },
      { move: "target", to: "rolling_back", aim: "prior", generation: 2 },
    ]);
  });
});

describe("S3: limits after the canary started", () => {
  const revision = (plan: ReturnType<typeof aPlan>) => ({
    plan,
    layout: aLayout(),
    fingerprint: aHash("plan 2"),
    standingFingerprint: aHash("standing 2"),
  });
  const looser = aPlan({
    validate: aPlan().validate.map((v) =>
      v.name === "fabric all-reduce" ? { ...v, baseline: { busbw: { above: { percentOfBaseline: 90 } } } } : v,
    ),
  });
  const held = aSnapshot({ holds: [aHold()] });
  it("a looser one is refused", () =>
    expect(act(held, AK, { action: "edit-plan", yaml: "x" }, { revision: revision(looser) })).toMatchObject({
      ok: false,
      error: { code: "closed", reasons: [{ code: "widens" }] },
    }));
  it("and as a narrowing as well, while a stricter one is laid over the plan", () => {
    const limit = (text: string) => ({ action: "narrow", reason, limits: [{ check: "fabric all-reduce", limit: text }] });
    expect(act(aSnapshot(), AK, limit("busbw > 90%"))).toMatchObject({ ok: false, error: { code: "closed" } });
    expect(moves(act(aSnapshot(), AK, limit("busbw > 97%")))).toMatchObject([{ move: "decision", kind: "narrowing" }]);
    expect(
      act(aSnapshot({ narrowing: { limits: [{ check: "fabric all-reduce", limit: "busbw > 97%" }] } }), AK, limit("busbw > 96%")),
    ).toMatchObject({ ok: false });
  });
  it("voiding the canary is an action of its own, with a reason; then the plan may be edited", () => {
    expect(moves(act(aSnapshot(), LT, { action: "void-canary", on: "report-1", reason }))).toMatchObject([{ kind: "canary_void" }]);
    const voided = {
      ...held,
      decisions: [...held.decisions, aDecision({ id: "v", kind: "canary_void", on: { what: "report", id: "report-1" }, at: at(-1) })],
    };
    expect(moves(act(voided, AK, { action: "edit-plan", yaml: "x" }, { revision: revision(looser) }))).toMatchObject([
      { move: "revision", revision: 2 },
      { move: "preflight", passedAt: null },
    ]);
  });
  it("an edit needs a hold once nodes may go out", () =>
    expect(act(aSnapshot(), AK, { action: "edit-plan", yaml: "x" }, { revision: revision(aPlan()) })).toMatchObject({
      ok: false,
      error: { code: "closed" },
    }));
  it("another target version is another change", () =>
    expect(
      act(held, AK, { action: "edit-plan", yaml: "x" }, { revision: revision(aPlan({ target: { ...aPlan().target, version: "580.1" } })) }),
    ).toMatchObject({ ok: false }));
});

describe("a failed batch (R8.4)", () => {
  const s = aSnapshot({
    batches: [aBatch(1, { state: "succeeded", askedFor: true }), aBatch(2, { state: "failed", askedFor: true }), aBatch(3)],
    targets: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) =>
      aTarget(
        n,
        n <= 4
          ? { step: "accepted", updateBegan: true }
          : n === 5
            ? { step: "rolled_back", updateBegan: true, aim: "prior", generation: 2 }
            : {},
      ),
    ),
    holds: [aHold({ id: "h", kind: "failed_batch", batch: 2, ownerId: DV })],
  });
  const ask = (more: object) => ({ action: "decide", on: "2", reason, ...more });
  it("is the decision owner's", () =>
    expect(act(s, AK, ask({ choice: "stop", earlier: "keep" }))).toMatchObject({ ok: false, error: { code: "not_allowed" } }));
  it("says what becomes of earlier nodes until the target is committed", () => {
    expect(act(s, DV, ask({ choice: "go_on" }))).toMatchObject({ ok: false, error: { code: "invalid" } });
    expect(moves(act({ ...s, rollback: { ...s.rollback, committedAt: at(-5) } }, DV, ask({ choice: "go_on" })))).toMatchObject([
      { facts: { earlier: "keep" } },
      { to: "decided" },
      {},
      {},
    ]);
  });
  it("retry takes what went back and what waits into a batch of their own", () => {
    expect(moves(act(s, DV, ask({ choice: "retry", earlier: "keep" })))).toMatchObject([
      { move: "decision", kind: "failed_batch", choice: "retry" },
      { move: "batch", number: 2, to: "decided" },
      { move: "target", id: "t5", to: "waiting", aim: "goal", generation: 3 },
      { move: "retry_batch", number: 4, targets: ["t6", "t7", "t8", "t5"] },
      { move: "release_hold", holdId: "h" },
    ]);
  });
  it("roll back everything is closed once committed", () =>
    expect(act({ ...s, rollback: { ...s.rollback, committedAt: at(-5) } }, DV, ask({ choice: "roll_back_all" }))).toMatchObject({
      ok: false,
      error: { reasons: [{ code: "committed" }] },
    }));
  it("retry waits until nothing goes back any more", () =>
    expect(act({ ...s, change: { ...s.change, state: "ROLLBACK" } }, DV, ask({ choice: "retry", earlier: "keep" }))).toMatchObject({
      ok: false,
      error: { code: "closed" },
    }));
  it("resume does not go round the decision", () =>
    expect(act(s, AK, { action: "resume", reason })).toMatchObject({
      ok: false,
      error: { code: "closed", because: expect.stringContaining("lifted by decide") },
    }));
});

describe("nodes", () => {
  it("a withdrawn canary hands its role to the next waiting node", () => {
    const s = aSnapshot({ targets: [1, 2, 3].map((n) => aTarget(n)), decisions: [aDecision()], reports: [], readings: [] });
    expect(moves(act(s, AK, { action: "withdraw-node", on: "gpu001", reason }))).toMatchObject([
      { kind: "leave_out", choice: "withdraw" },
      { move: "target", to: "skipped" },
      { move: "role", targetId: "t1", role: "member" },
      { move: "role", targetId: "t2", role: "canary" },
    ]);
  });
  it("one that is drained goes back first", () => {
    const s = aSnapshot({ targets: [aTarget(1, { step: "accepted", updateBegan: true }), aTarget(2, { step: "draining" })] });
    expect(moves(act(s, AK, { action: "defer-node", on: "gpu002", reason }))).toMatchObject([{}, { to: "releasing", stage: 2 }]);
  });
  it("one whose update began is not left out any more", () => {
    const s = aSnapshot({
      targets: [aTarget(1, { step: "accepted", updateBegan: true }), aTarget(2, { step: "updating", updateBegan: true })],
    });
    expect(act(s, AK, { action: "withdraw-node", on: "gpu002", reason })).toMatchObject({ ok: false, error: { code: "closed" } });
  });
  it("a released one is written with owner and ticket before its step, and its drain is settled", () => {
    const drain = {
      id: "ob",
      kind: "drain" as const,
      on: "gpu002",
      targetId: "t2" as TargetId,
      name: "clearance:chg-1/gpu002",
      prior: null,
      since: at(-9),
      endsAt: null,
    };
    const s = aSnapshot({
      targets: [aTarget(1, { step: "accepted", updateBegan: true }), aTarget(2, { step: "rollback_failed", updateBegan: true })],
      obligations: [drain],
      findings: [aFinding({ kind: "foreign_drain", key: "foreign_drain/t2/1", acceptedBy: "nobody" })],
    });
    expect(moves(act(s, DV, { action: "release-node", on: "gpu002", reason, owner: "AK", ticket: "INC-7" }))).toMatchObject([
      { kind: "release" },
      { move: "released_to", personId: AK, ticket: "INC-7" },
      { move: "target", to: "released" },
      { move: "settle", obligationId: "ob" },
      { move: "close_finding", key: "foreign_drain/t2/1", because: expect.stringContaining("INC-7") as string },
    ]);
  });
});

describe("closing (R7.3, R12.4)", () => {
  const validated = (["fabric_validation", "spot_validation"] as const).map((gate) =>
    aCheck({ gate, scope: "change", targetId: null, name: gate }),
  );
  const confirmed = aCheck({
    gate: "definition_agrees",
    scope: "change",
    targetId: null,
    judgedAt: at(-1),
    spec: { kind: "configuration", field: "cluster_definition", component: "gpu_driver", wanted: "570.172.08" },
  });
  const done = aSnapshot({ targets: accepted, checks: [...aPreflight(), ...validated, confirmed] });
  it("all accepted is as planned", () =>
    expect(moves(act(done, AK, { action: "close" }))).toMatchObject([{ move: "change", to: "COMPLETED", outcome: "as_planned" }]));
  it("a node still drained by it keeps the change open (case 30)", () => {
    const drain = {
      id: "ob",
      kind: "drain" as const,
      on: "gpu011",
      targetId: "t11" as TargetId,
      name: "n",
      prior: null,
      since: at(-9),
      endsAt: null,
    };
    expect(act({ ...done, obligations: [drain] }, AK, { action: "close" })).toMatchObject({
      ok: false,
      error: { code: "closed", because: expect.stringContaining("Still ours out there: drain on gpu011") },
    });
  });
  it("a failed validation ends DEGRADED and owes a post-mortem in 48 hours", () => {
    const failed = { ...done, checks: done.checks.map((c) => (c.gate === "fabric_validation" ? { ...c, verdict: "fail" as const } : c)) };
    expect(moves(act(failed, AK, { action: "close" }))).toMatchObject([
      { to: "DEGRADED", outcome: null },
      { move: "post_mortem", dueAt: at(48 * 60) },
    ]);
  });
  it("a node that stayed out asks owner and ticket", () => {
    const out = accepted.map((t, i) => (i === 4 ? { ...t, step: "rollback_failed" as const } : t));
    const s = { ...done, targets: out, batches: [aBatch(1), aBatch(2, { state: "decided" }), aBatch(3)] };
    expect(act(s, AK, { action: "close" })).toMatchObject({
      ok: false,
      error: { code: "invalid", because: expect.stringContaining("gpu005 is out: Rollback failed") },
    });
    const written = moves(act(s, AK, { action: "close", out: [{ node: "gpu005", owner: "DV", ticket: "INC-9", reason }] }));
    expect(written).toMatchObject([
      { kind: "release" },
      { move: "released_to", ticket: "INC-9" },
      { to: "DEGRADED" },
      { move: "post_mortem" },
    ]);
  });
  it("exceptions nobody decided on need the reason", () => {
    const left = accepted.map((t, i) => (i === 4 ? { ...t, step: "withheld" as const, updateBegan: false } : t));
    expect(act({ ...done, targets: left }, AK, { action: "close" })).toMatchObject({ ok: false, error: { code: "invalid" } });
    expect(moves(act({ ...done, targets: left }, AK, { action: "close", reason }))).toMatchObject([
      { kind: "leave_out" },
      { to: "COMPLETED", outcome: "partial" },
    ]);
  });
});

describe("approval", () => {
  const s = aSnapshot({
    change: { state: "PENDING", startedAt: null },
    targets: [aTarget(1)],
    checks: [],
    reports: [],
    readings: [],
    decisions: [aSignOff()],
  });
  it("binds to the plan as it stands", () =>
    expect(moves(act(s, MR, { action: "approve-plan", reason }))).toMatchObject([
      { kind: "plan_approval", fingerprint: s.change.planFingerprint },
    ]));
  it("a standing approval is only for profile low, and for six months at most", () => {
    expect(act(s, MR, { action: "approve-plan", reason, standing: true })).toMatchObject({ ok: false, error: { code: "invalid" } });
    const low = { ...s, change: { ...s.change, profile: "low" as const } };
    expect(moves(act(low, MR, { action: "approve-plan", reason, standing: true }))).toMatchObject([
      {},
      { kind: "standing_approval", until: new Date("2027-06-08T23:00:00.000Z") },
    ]);
  });
});
