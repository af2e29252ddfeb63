import { openPoints } from "@/lib/core/acceptance/sign-off";
import type { CheckId, PersonId } from "@/lib/core/kernel/ids";
import { labelOfClass, newestReport } from "./class-in-play";
import { decisionsOf, newest } from "./decision-rules";
import { orNone, settled, when, type ActLook, type PermitRule, type Possible } from "./permit-look";
import type { Reason } from "./reason";
import { asksReading, signOffOf } from "./sign-off-rules";
import type { CheckView, ReportView, Snapshot } from "./snapshot";

const NO_REPORT = ["no canary report is frozen yet", "wait for the canary's checks"] as const;

/** What only a named person may judge: the job was requeued, so its clean end says less than it seems (R3.4). */
export const mayJudge: PermitRule = ({ s }) =>
  orNone(
    s.checks
      .filter((c) => c.verdict === "unresolved" && c.spec.kind === "acceptance" && c.reason === "requeued")
      .map((c) => ({ on: c.id, because: [], holders: judgesOf(s, c) })),
    "no difference waits for a judgement",
    "nothing to judge",
  );

/** `judges` of the locked job: the workload owner, or people by their ids. */
function judgesOf(s: Snapshot, check: CheckView): readonly PersonId[] {
  const jobId = check.spec.kind === "acceptance" ? check.spec.jobId : "";
  const judges = s.jobs.find((j) => j.jobId === jobId)?.spec.judges ?? [];
  const owners =
    s.change.people.workloadOwner.length > 0
      ? s.change.people.workloadOwner
      : s.people.filter((p) => p.roles.includes("workload_owner")).map((p) => p.id);
  return s.people.map((p) => p.id).filter((id) => judges.includes(id) || (judges.includes("workloadOwner") && owners.includes(id)));
}

/** Four findings pass or are judged, nothing unresolved unwaived (R3.4); a second reader reads before signing (R4.4). */
export const maySignOff: PermitRule = (look) =>
  onReports(look, (report) => {
    const { s, now } = look;
    const because: readonly Reason[] = [
      ...superseded(s, report),
      ...when(signOffOf(s, report.classId, now) !== null, settled(`the canary of ${labelOfClass(s, report.classId)} is signed off`)),
      ...rejected(s, report),
      ...openPoints(report.body).map((p): Reason => ({
        code: p.verdict === "fail" ? "check_failed" : "check_unresolved",
        checkId: `${report.id}/${p.name}` as CheckId,
        name: p.name,
        on: report.body.canary,
        because: p.because,
      })),
    ];
    const unread = s.change.people.secondEngineer.filter((id) => !s.readings.some((r) => r.reportId === report.id && r.readerId === id));
    return { because, readFirst: asksReading(s, look.policy) ? unread : [] };
  });

export const mayRejectCanary: PermitRule = (look) =>
  onReports(look, (report) => ({ because: [...superseded(look.s, report), ...rejected(look.s, report)] }));

export const mayVoidCanary: PermitRule = (look) =>
  onReports(look, (report) => ({
    because: when(
      newestReport(look.s, report.classId)?.id !== report.id || signOffOf(look.s, report.classId, look.now) === null,
      settled("no sign-off of this report counts"),
    ),
  }));

/** Frozen, and not yet signed by the reader; who signed it has nothing left to read for. */
export const mayRecordReading: PermitRule = (look) =>
  onReports(look, (report) => ({
    because: superseded(look.s, report),
    holders: look.s.change.people.secondEngineer.length > 0 ? look.s.change.people.secondEngineer : look.s.people.map((p) => p.id),
    kept: [
      ...decisionsOf(look.s, "sign_off", report.id).map((d) => d.byId),
      ...look.s.readings.filter((r) => r.reportId === report.id).map((r) => r.readerId),
    ],
  }));

/** Only the newest report of each class is listed; earlier ones can no longer be acted on. */
function onReports({ s }: ActLook, rule: (report: ReportView) => Omit<Possible, "on">): readonly Possible[] {
  const reports = s.classes.flatMap((c) => newestReport(s, c.id) ?? []);
  return orNone(
    reports.map((report) => ({ on: report.id, ...rule(report) })),
    ...NO_REPORT,
  );
}

const superseded = (s: Snapshot, report: ReportView): readonly Reason[] =>
  when(newestReport(s, report.classId)?.id !== report.id, settled("a newer report of this class counts"));

function rejected(s: Snapshot, report: ReportView): readonly Reason[] {
  const rejection = newest(decisionsOf(s, "rejection", report.id).filter((d) => !d.revoked));
  return when(rejection !== null, settled(`this report was rejected: ${rejection?.reason ?? ""}`));
}
