import type { PersonId } from "@/lib/core/kernel/ids";
import { countsStill, decisionsOf, newest, standsAt } from "./decision-rules";
import { GATE_PROFILES, STANDING_APPROVAL_MONTHS } from "./gate-profiles";
import type { Reason } from "./reason";
import type { DecisionView, FindingView, Snapshot } from "./snapshot";

/** Ids of acceptances that have no row of their own: the approver accepts that nothing was rehearsed, or that there is no baseline (R7.5). */
export const ACCEPTABLE_LACKS = { recovery_untested: "no recovery was rehearsed", no_baseline: "nothing valid to compare with" } as const;
export type AcceptableLack = keyof typeof ACCEPTABLE_LACKS;

export const isLackAccepted = (s: Snapshot, lack: AcceptableLack, now: Date): boolean =>
  decisionsOf(s, "finding_accepted", lack).some((d) => countsStill(d, s.change.planFingerprint, now).counts);

type Approval =
  | { readonly inForce: true; readonly at: Date; readonly byId: PersonId; readonly standing: boolean }
  | { readonly inForce: false; readonly because: readonly Reason[] };

/** The approval that covers the plan as it stands: one for exactly this fingerprint, or in profile low a standing one for the same text (R4.1, R7.5). */
export function approvalInForce(s: Snapshot, now: Date): Approval {
  const rejected = rejectionOf(s);
  const given = newest(decisionsOf(s, "plan_approval").filter((d) => countsStill(d, s.change.planFingerprint, now).counts));
  if (given !== null && (rejected === null || rejected.at < given.at))
    return { inForce: true, at: given.at, byId: given.byId, standing: false };
  if (rejected !== null)
    return {
      inForce: false,
      because: [{ code: "not_yet", what: `this plan was rejected: ${rejected.reason}`, next: "a new revision is needed" }],
    };
  const standing = GATE_PROFILES[s.change.profile].approval === "approver_or_standing" ? standingApproval(s, now) : null;
  if (standing !== null) return { inForce: true, at: standing.at, byId: standing.byId, standing: true };
  const earlier = newest(decisionsOf(s, "plan_approval"));
  const ended = earlier === null ? null : countsStill(earlier, s.change.planFingerprint, now);
  if (ended !== null && !ended.counts) return { inForce: false, because: [ended.because] };
  return { inForce: false, because: [{ code: "not_yet", what: "the plan is not approved", next: "an approver decides on it" }] };
}

/** A rejection of exactly this plan; an edit leaves it behind. */
export const rejectionOf = (s: Snapshot): DecisionView | null =>
  newest(
    decisionsOf(s, "rejection", s.change.id).filter(
      (d) => d.on.what === "change" && !d.revoked && d.fingerprint === s.change.planFingerprint,
    ),
  );

/** Findings of the preview that a person must accept before the plan can be approved. */
export const openPlanFindings = (s: Snapshot): readonly FindingView[] =>
  s.findings.filter((f) => f.kind === "plan" && f.closedAt === null && f.acceptedBy !== null);

export const findingReason = (finding: FindingView): Reason => ({
  code: "finding_open",
  finding: finding.id,
  on: finding.on,
  because: finding.because,
  acceptedBy: finding.acceptedBy ?? "",
});

/** No later than six calendar months after it was given, whatever it says itself. */
export function standingUntil(at: Date): Date {
  const until = new Date(at.getTime());
  const day = until.getUTCDate();
  until.setUTCMonth(until.getUTCMonth() + STANDING_APPROVAL_MONTHS);
  if (until.getUTCDate() < day) until.setUTCDate(0);
  return until;
}

function standingApproval(s: Snapshot, now: Date): DecisionView | null {
  return newest(
    s.standing.filter(
      (d) =>
        d.kind === "standing_approval" &&
        standsAt(d, now) &&
        d.until !== null &&
        now <= standingUntil(d.at) &&
        d.fingerprint === s.change.standingFingerprint,
    ),
  );
}
