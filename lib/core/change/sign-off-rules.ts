import { openPoints } from "@/lib/core/acceptance/sign-off";
import type { CheckId, ClassId, Sha256 } from "@/lib/core/kernel/ids";
import { isLeftOut, labelOfClass, newestReport } from "./class-in-play";
import { countsStill, decisionsOf, newest } from "./decision-rules";
import { GATE_PROFILES } from "./gate-profiles";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { DecisionView, ReportView, Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

/** The sign-off that lets a class proceed: of its newest report and of the plan as it stands, neither revoked nor voided nor overtaken by a rejection (R4.3). */
export function signOffOf(s: Snapshot, classId: ClassId, now: Date): DecisionView | null {
  const report = newestReport(s, classId);
  return report === null ? null : signOffOfReport(s, report, now);
}

function signOffOfReport(s: Snapshot, report: ReportView, now: Date): DecisionView | null {
  if (decisionsOf(s, "rejection", report.id).some((d) => !d.revoked)) return null;
  const voided = newest(decisionsOf(s, "canary_void", report.id).filter((d) => !d.revoked));
  return newest(
    decisionsOf(s, "sign_off", report.id).filter(
      (d) =>
        (voided === null || d.at > voided.at) &&
        d.facts["plan"] === s.change.planFingerprint &&
        countsStill(d, report.fingerprint, now).counts,
    ),
  );
}

/** Whether a class needs a signed report at all: a rehearsal without a locked job, or one with `canaries: 0`, does not. */
export const needsSignOff = (s: Snapshot, classId: ClassId): boolean =>
  GATE_PROFILES[s.change.profile].canary !== "may_be_none" ||
  (canariesOf(s, classId).length > 0 && s.jobs.some((job) => job.classId === classId));

export const canariesOf = (s: Snapshot, classId: ClassId): readonly Target[] =>
  s.targets.filter((t) => t.classId === classId && t.role === "canary" && !isLeftOut(t) && t.step !== "released");

/** Why batches of this class stay closed: canary, report, sign-off and, where asked, the second reading (R5.4, R7.5). Empty: it may go. */
export function classReasons(s: Snapshot, classId: ClassId, policy: Policy, now: Date): readonly Reason[] {
  const canary = canaryReasons(s, classId);
  if (canary.length > 0) return canary;
  if (!needsSignOff(s, classId)) return [];
  const report = reportReasons(s, classId);
  if (report.length > 0) return report;
  const signed = signReasons(s, classId, now);
  if (signed.length > 0) return signed;
  return asksReading(s, policy) ? readingReasons(s, classId) : [];
}

/** Somebody of the class waits or is under way. */
export const goesOn = (s: Snapshot, classId: ClassId): boolean =>
  s.targets.some((t) => t.classId === classId && !STEP_TRAITS[t.step].settled);

export function canaryReasons(s: Snapshot, classId: ClassId): readonly Reason[] {
  const canaries = canariesOf(s, classId);
  const label = labelOfClass(s, classId);
  if (canaries.length === 0)
    return !goesOn(s, classId) ||
      (GATE_PROFILES[s.change.profile].canary === "may_be_none" && !s.targets.some((t) => t.classId === classId && t.role === "canary"))
      ? []
      : [{ code: "not_yet", what: `${label} has no canary`, next: "name another node of the class by retrying or re-planning" }];
  // Once nobody of the class is left to go out, a canary that went back or stayed out is an exception like any other (R7.3).
  return canaries
    .filter((t) => t.step !== "accepted" && (goesOn(s, classId) || t.step === "unresolved"))
    .map((t) => ({
      code: "not_yet" as const,
      what: `canary ${t.name} of ${label} is ${STEP_TRAITS[t.step].outcome}`,
      next: t.step === "waiting" ? "start the canaries" : STEP_TRAITS[t.step].settled ? `decide on ${t.name}` : "wait until it is judged",
    }));
}

export function reportReasons(s: Snapshot, classId: ClassId): readonly Reason[] {
  const report = newestReport(s, classId);
  const label = labelOfClass(s, classId);
  if (report === null)
    return [{ code: "not_yet", what: `the canary report of ${label} is not frozen yet`, next: "wait for the canary's checks" }];
  return openPoints(report.body).map((point) => ({
    code: point.verdict === "fail" ? ("check_failed" as const) : ("check_unresolved" as const),
    checkId: `${report.id}/${point.name}` as CheckId,
    name: point.name,
    on: report.body.canary,
    because: point.because,
  }));
}

export function signReasons(s: Snapshot, classId: ClassId, now: Date): readonly Reason[] {
  const report = newestReport(s, classId);
  const label = labelOfClass(s, classId);
  if (report === null || signOffOfReport(s, report, now) !== null) return [];
  const earlier = newest(decisionsOf(s, "sign_off").filter((d) => s.reports.some((r) => r.id === d.on.id && r.classId === classId)));
  if (earlier === null)
    return [{ code: "not_yet", what: `the canary of ${label} is not signed off`, next: "an approver signs or rejects its report" }];
  const voided = newest(decisionsOf(s, "canary_void", earlier.on.id));
  if (voided !== null)
    return [{ code: "not_yet", what: `the canary of ${label} was voided: ${voided.reason}`, next: "it has to be signed off again" }];
  const counts = countsStill(earlier, report.fingerprint, now);
  if (!counts.counts) return [counts.because];
  const plan = earlier.facts["plan"];
  const signedFor = typeof plan === "string" ? (plan as Sha256) : earlier.fingerprint;
  return [{ code: "void", what: "plan", signedFor, now: s.change.planFingerprint }];
}

/** Whether the profile (or a stricter site) asks for a second reading before the batches (R4.5, R7.5). */
export function asksReading(s: Snapshot, policy: Policy): boolean {
  switch (GATE_PROFILES[s.change.profile].secondReading) {
    case "required":
      return true;
    case "first_of_type_or_after_ambiguity":
      return s.readingAsked || policy.stricter.secondReadingAlways;
    default:
      return false;
  }
}

export function readingReasons(s: Snapshot, classId: ClassId): readonly Reason[] {
  const report = newestReport(s, classId);
  if (report === null) return [];
  const label = labelOfClass(s, classId);
  if (!s.readings.some((r) => r.reportId === report.id))
    return [
      {
        code: "not_yet",
        what: `nobody has read the record of ${label} a second time`,
        next: "the second engineer answers the five questions",
      },
    ];
  return s.findings
    .filter((f) => f.kind === "second_reading" && f.closedAt === null && f.key.startsWith(`second_reading/${report.id}/`))
    .map((f) => ({ code: "finding_open" as const, finding: f.id, on: f.on, because: f.because, acceptedBy: f.acceptedBy ?? "" }));
}
