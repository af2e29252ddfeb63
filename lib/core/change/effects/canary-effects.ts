import { compareAnswers } from "@/lib/core/acceptance/second-reading";
import { warningsOf } from "@/lib/core/acceptance/sign-off";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import type { Move } from "@/lib/core/change/move";
import { labelOfClass } from "@/lib/core/change/class-in-play";
import { readingTruth } from "@/lib/core/change/reading-truth";
import type { ReportView, Snapshot } from "@/lib/core/change/snapshot";
import { canariesOf } from "@/lib/core/change/sign-off-rules";
import { goesBack } from "./going-back";
import { closed, decided, done, refuse, type Effect } from "./effect";

const reportOf = (s: Snapshot, id: string): ReportView | undefined => s.reports.find((r) => r.id === id);
const noReport = (id: string) => refuse("not_found", `no report is called ${id}`, "look at the reports again");
const onReport = (report: ReportView) => ({ what: "report" as const, id: report.id });

/** Binds to the report as frozen and to the plan as it stands (R4.3). Every warning has to be acknowledged by name. */
export const signOff: Effect<"sign-off"> = (e) => {
  const report = reportOf(e.s, e.request.on);
  if (report === undefined) return noReport(e.request.on);
  const warnings = warningsOf(report.body);
  const missing = warnings.filter((w) => !e.request.acknowledges.includes(w.code));
  const [first] = missing;
  if (first !== undefined)
    return closed({
      code: "not_yet",
      what: `${missing.length} warnings are not acknowledged, the first: ${first.text}`,
      next: `acknowledge ${missing.map((w) => w.code).join(", ")}, or reject the canary`,
    });
  const label = labelOfClass(e.s, report.classId);
  const facts = { plan: e.s.change.planFingerprint, acknowledges: warnings };
  const permits = `batches of ${label}`;
  return done(
    [
      decided(e, {
        kind: "sign_off",
        on: onReport(report),
        choice: "sign",
        permits,
        reason: e.request.reason,
        fingerprint: report.fingerprint,
        facts,
      }),
    ],
    e.request.reason,
    { facts: { report: report.number, canary: report.body.canary, acknowledges: warnings.map((w) => w.code) } },
  );
};

/** Places first, then the canary goes back; the change is held until the decision owner says how it goes on (R1.13, R8.4). */
export const rejectCanary: Effect<"reject-canary"> = (e) => {
  const { s, request } = e;
  const report = reportOf(s, request.on);
  if (report === undefined) return noReport(request.on);
  const label = labelOfClass(s, report.classId);
  const decision = decided(e, {
    kind: "rejection",
    on: onReport(report),
    choice: "reject",
    permits: `the canary of ${label} goes back`,
    reason: request.reason,
    fingerprint: report.fingerprint,
  });
  const canaries = canariesOf(s, report.classId);
  const back = canaries.flatMap((t) => goesBack(t, `its report was rejected: ${request.reason}`));
  const hold: Move = {
    move: "hold",
    kind: "canary_rejected",
    batch: canaries[0]?.batch ?? null,
    targetId: null,
    ownerId: s.change.people.decisionOwner ?? s.change.ownerId,
    because: `the canary of ${label} was rejected: ${request.reason}`,
    decisionId: decision.id,
  };
  const rollback: readonly Move[] =
    back.length > 0 ? [{ move: "change", to: "ROLLBACK", outcome: null, because: `the canary of ${label} was rejected` }] : [];
  return done([decision, hold, ...rollback, ...back], request.reason, { facts: { report: report.number, canary: report.body.canary } });
};

export const voidCanary: Effect<"void-canary"> = (e) => {
  const report = reportOf(e.s, e.request.on);
  if (report === undefined) return noReport(e.request.on);
  const permits = `no batch of ${labelOfClass(e.s, report.classId)} until it is signed again`;
  return done(
    [
      decided(e, {
        kind: "canary_void",
        on: onReport(report),
        choice: "void",
        permits,
        reason: e.request.reason,
        fingerprint: report.fingerprint,
      }),
    ],
    e.request.reason,
    { facts: { report: report.number } },
  );
};

/** Answers are compared with the record; every difference becomes a work item that blocks batches until an approver accepts it (R4.5). */
export const recordReading: Effect<"record-reading"> = (e) => {
  const { s, request } = e;
  const report = reportOf(s, request.on);
  if (report === undefined) return noReport(request.on);
  const answers = { ...request.answers, comment: request.comment };
  const differences = compareAnswers(answers, readingTruth(s, report, e.policy, e.now));
  const reading: Move = {
    move: "reading",
    id: e.id,
    reportId: report.id,
    byId: e.actor,
    answers,
    differences,
    fingerprint: e.hash(canonicalJson({ report: report.fingerprint, answers })),
  };
  const items = differences.map((d, i): Move => ({
    move: "finding",
    kind: "second_reading",
    key: `second_reading/${report.id}/${e.id}/${i + 1}`,
    on: null,
    because: `${d.question} ${d.on}: read "${d.read}", the record says "${d.record}"`,
    blocks: true,
    acceptedBy: "approver",
  }));
  return done([reading, ...items], request.reason ?? `${differences.length} differences`, {
    facts: { report: report.number, differences: differences.length },
  });
};

/** The judge named in the job decides what a requeue means; the worker judges the runs again with that word (R3.4). */
export const judge: Effect<"judge"> = (e) => {
  const { s, request } = e;
  const check = s.checks.find((c) => c.id === request.on);
  if (check === undefined) return refuse("not_found", `no check is called ${request.on}`, "look at the checks again");
  const decision = decided(e, {
    kind: "judgement",
    on: { what: "check", id: check.id },
    checkId: check.id,
    choice: request.choice,
    permits: request.choice === "accept" ? `the runs of "${check.name}" count as executed` : "nothing",
    reason: request.reason,
    facts: { was: check.because },
  });
  return done([decision], request.reason, { targetId: check.targetId, facts: { check: check.name, choice: request.choice } });
};
