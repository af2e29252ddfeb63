import type { Sha256 } from "@/lib/core/kernel/ids";
import type { DecisionKind } from "./decision";
import type { Reason } from "./reason";
import type { DecisionView, Snapshot } from "./snapshot";

type Counts = { readonly counts: true } | { readonly counts: false; readonly because: Reason };

/** Whether a decision still stands: not revoked, not expired, and made for what stands now (R4.1). Nothing is deleted, it just stops counting. */
export function countsStill(decision: DecisionView, current: Sha256, now: Date): Counts {
  if (decision.revoked) return { counts: false, because: { code: "decision_ended", kind: decision.kind, how: "revoked", at: null } };
  if (decision.until !== null && decision.until <= now)
    return { counts: false, because: { code: "decision_ended", kind: decision.kind, how: "expired", at: decision.until } };
  if (decision.fingerprint !== current)
    return {
      counts: false,
      because: { code: "void", what: decision.on.what === "report" ? "report" : "plan", signedFor: decision.fingerprint, now: current },
    };
  return { counts: true };
}

/** Stands whatever the plan has become: for what was decided about a node, a batch or a hold. */
export const standsAt = (decision: DecisionView, now: Date): boolean =>
  !decision.revoked && (decision.until === null || decision.until > now);

export const decisionsOf = (s: Snapshot, kind: DecisionKind, onId?: string): readonly DecisionView[] =>
  s.decisions.filter((d) => d.kind === kind && (onId === undefined || d.on.id === onId));

/** Newest last in the record; the newest of several at one moment is the later row. */
export const newest = (decisions: readonly DecisionView[]): DecisionView | null =>
  decisions.reduce<DecisionView | null>((last, d) => (last === null || d.at >= last.at ? d : last), null);

/** "Stop" and "roll back everything" end the rollout for good: nothing more goes out (R8.4). */
export function stopDecided(s: Snapshot, now: Date): DecisionView | null {
  return newest(decisionsOf(s, "failed_batch").filter((d) => (d.choice === "stop" || d.choice === "roll_back_all") && standsAt(d, now)));
}
