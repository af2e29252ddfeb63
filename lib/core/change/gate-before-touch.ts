import { ACCEPTABLE_LACKS, approvalInForce, findingReason, isLackAccepted, openPlanFindings } from "./approval";
import { classesInPlay, labelOfClass } from "./class-in-play";
import type { GateAnswer } from "./gate";
import { GATE_PROFILES } from "./gate-profiles";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import { rehearsalReasons } from "./rehearsal-need";
import type { LockedJob, Snapshot } from "./snapshot";

export const notAskedFor = (s: Snapshot): string => `not asked for by profile ${s.change.profile}`;

/** A locked job for every class; the list of classes stands with it (R3.1, R3.2). A rehearsal may go without. */
export function jobGate(s: Snapshot): GateAnswer {
  if (isJobOptional(s)) return { notAsked: notAskedFor(s) };
  const missing = classesInPlay(s).filter((id) => !s.jobs.some((job) => job.classId === id));
  if (missing.length > 0 || s.jobs.length === 0)
    return missing.map((id) => lacks(`${labelOfClass(s, id)} has no locked acceptance job`, "the workload owner locks one"));
  return { at: latest(s.jobs.map((job) => job.lockedAt)) };
}

/** Runs to compare with, or their capture locked in: then the canary makes them just before its update (R3.3). */
export function baselineGate(s: Snapshot, _policy: Policy, now: Date): GateAnswer {
  if (isJobOptional(s)) return { notAsked: notAskedFor(s) };
  const reasons = classesInPlay(s).flatMap((id): readonly Reason[] => {
    const job = s.jobs.find((j) => j.classId === id);
    if (job === undefined) return [lacks(`${labelOfClass(s, id)} has no baseline without a locked job`, "lock the acceptance job first")];
    const fault = job.capture ? null : baselineFault(job);
    return fault === null ? [] : [lacks(`${labelOfClass(s, id)}: ${fault}`, "lock another baseline, or capture one")];
  });
  const at = latest([s.change.createdAt, ...s.jobs.map((job) => job.lockedAt)]);
  if (reasons.length === 0) return { at };
  const mayLack = GATE_PROFILES[s.change.profile].jobAndBaseline === "reuse_or_waiver";
  if (mayLack && isLackAccepted(s, "no_baseline", now)) return { at };
  return mayLack ? [...reasons, lacks(ACCEPTABLE_LACKS.no_baseline, "an approver may accept that")] : reasons;
}

export function rehearsalGate(s: Snapshot, _policy: Policy, now: Date): GateAnswer {
  const profile = GATE_PROFILES[s.change.profile];
  if (profile.failingTest === "never" && profile.recovery === "never") return { notAsked: notAskedFor(s) };
  const reasons = rehearsalReasons(s, now);
  return reasons.length > 0 ? reasons : { at: latest([s.change.createdAt, ...s.rehearsals.map((r) => r.at)]) };
}

/** Approved as it stands, no conflict, and every finding of the preview accepted by its person. */
export function approvalGate(s: Snapshot, _policy: Policy, now: Date): GateAnswer {
  const approval = approvalInForce(s, now);
  const conflicts = s.layout.conflicts.map((c) => lacks(c.text, "change the plan"));
  const open = [...conflicts, ...(approval.inForce ? [] : approval.because), ...openPlanFindings(s).map(findingReason)];
  return approval.inForce && open.length === 0 ? { at: approval.at } : open;
}

/** Why a locked baseline cannot be compared with; null: it can. */
export function baselineFault(job: LockedJob): string | null {
  const baseline = job.baseline;
  if (baseline === null) return "there is no baseline";
  if (baseline.retiredAt !== null) return "its baseline was retired";
  if (baseline.classId !== job.classId) return "its baseline is of another class";
  if (baseline.jobId !== job.jobId) return "its baseline is of another acceptance job";
  if (baseline.appVersion !== job.spec.applicationVersion)
    return `its baseline ran ${baseline.appVersion}, the job runs ${job.spec.applicationVersion}`;
  return null;
}

/** The profile asks for no acceptance job, and neither does the plan: a job that it names is run, whatever the profile (R7.5). */
export const isJobOptional = (s: Pick<Snapshot, "change" | "jobs" | "plan">): boolean =>
  GATE_PROFILES[s.change.profile].jobAndBaseline === "optional" && s.jobs.length === 0 && s.plan.acceptance.length === 0;
const lacks = (what: string, next: string): Reason => ({ code: "not_yet", what, next });
const latest = (dates: readonly Date[]): Date => dates.reduce((a, b) => (a > b ? a : b));
