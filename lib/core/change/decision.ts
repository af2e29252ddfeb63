import type { PersonId, Sha256 } from "@/lib/core/kernel/ids";

/** R12.1: one kind of object for every human judgement; `permits` says in one sentence what it lets happen. */
export type DecisionKind =
  | "plan_approval"
  | "standing_approval"
  | "sign_off"
  | "rejection"
  | "canary_void"
  | "waiver"
  | "judgement"
  | "relaxation"
  | "override"
  | "finding_accepted"
  | "failed_batch"
  | "foreign_drain"
  | "drain_deadline"
  | "arrival"
  | "roll_back"
  | "leave_out"
  | "release"
  | "narrowing"
  | "class_split"
  | "class_merge"
  | "hold"
  | "hold_release"
  | "break_glass"
  | "revocation";
export type DecidedOn = {
  readonly what:
    "change" | "cluster" | "class" | "batch" | "target" | "check" | "report" | "finding" | "window" | "obligation" | "decision";
  readonly id: string;
};
export type Decision = {
  readonly kind: DecisionKind;
  readonly on: DecidedOn;
  readonly choice: string;
  readonly byId: PersonId;
  readonly at: Date;
  readonly until: Date | null;
  readonly permits: string;
  readonly fingerprint: Sha256;
  readonly reason: string;
};
