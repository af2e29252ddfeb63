import type { PersonId, TargetId } from "@/lib/core/kernel/ids";
import type { Action } from "./actions";

export type HoldKind =
  | "person"
  | "stop_all"
  | "failed_batch"
  | "fourth_failure"
  | "canary_rejected"
  | "window_closed"
  | "emergency"
  | "source_lost"
  | "unplanned_arrival"
  | "foreign_action"
  | "lost_drain"
  | "alert";
/** liftedBy "rule": ends by itself when its cause has ended (next window with a fresh preflight, emergency over); everything else needs a person. */
export const HOLD_TRAITS = {
  person: { liftedBy: "resume" },
  stop_all: { liftedBy: "lift-stop" },
  failed_batch: { liftedBy: "decide" },
  fourth_failure: { liftedBy: "decide" },
  canary_rejected: { liftedBy: "decide" },
  window_closed: { liftedBy: "rule" },
  emergency: { liftedBy: "rule" },
  source_lost: { liftedBy: "rule" },
  unplanned_arrival: { liftedBy: "resume" },
  foreign_action: { liftedBy: "resume" },
  lost_drain: { liftedBy: "resume" },
  alert: { liftedBy: "resume" },
} as const satisfies Record<HoldKind, { readonly liftedBy: Action | "rule" }>;
export type Hold = {
  readonly kind: HoldKind;
  readonly batch: number | null;
  readonly targetId: TargetId | null;
  readonly ownerId: PersonId;
  readonly because: string;
  readonly since: Date;
};
