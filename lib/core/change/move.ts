import type { BatchState } from "./batch";
import type { CommandOutcome } from "./command-request";
import type { HoldKind } from "./hold";
import type { ObligationKind } from "./obligation";
import type { RollbackState } from "./rollback";
import type { ChangeOutcome, ChangeState } from "./state";
import type { NodeStep } from "./step";
import type { NewCheck } from "@/lib/core/check/new-check";
import type { Judged } from "@/lib/core/check/verdict";
import type { AcceptanceReport } from "@/lib/core/acceptance/report";
import type { PlanLayout } from "@/lib/core/planner/layout";
import type { Plan } from "@/lib/core/plan/plan";
import type { SecondReadingAnswers, SecondReadingDifference } from "@/lib/core/acceptance/second-reading";
import type { RehearsalFinding } from "@/lib/core/acceptance/rehearsal";
import type { DecidedOn, DecisionKind } from "./decision";
import type { CheckId, ClassId, CommandKey, PersonId, Sha256, SubjectId, TargetId } from "@/lib/core/kernel/ids";

export type { NewCheck };

export type Move =
  | {
      readonly move: "target";
      readonly id: TargetId;
      readonly from: NodeStep;
      readonly to: NodeStep;
      readonly aim: "goal" | "prior";
      readonly stage: number;
      readonly generation: number;
      readonly deadlineAt: Date | null;
      readonly because: string;
    }
  | {
      readonly move: "extra_batch";
      readonly number: number;
      readonly extraOf: number;
      readonly targets: readonly TargetId[];
      readonly because: string;
    }
  | { readonly move: "lift"; readonly kind: HoldKind; readonly because: string }
  | { readonly move: "settle"; readonly obligationId: string; readonly because: string }
  | { readonly move: "batch"; readonly number: number; readonly to: BatchState; readonly notBefore: Date | null; readonly because: string }
  | { readonly move: "change"; readonly to: ChangeState; readonly outcome: ChangeOutcome | null; readonly because: string }
  | {
      readonly move: "hold";
      readonly kind: HoldKind;
      readonly batch: number | null;
      readonly targetId: TargetId | null;
      readonly ownerId: PersonId;
      readonly because: string;
      /** Set by a person: the decision it belongs to. */
      readonly decisionId?: string;
    }
  | { readonly move: "count"; readonly rollback: RollbackState; readonly because: string }
  | { readonly move: "judge"; readonly checkId: CheckId; readonly judged: Judged }
  | {
      readonly move: "finding";
      readonly kind: string;
      readonly key: string;
      readonly on: SubjectId | null;
      readonly because: string;
      readonly blocks: boolean;
      /** Role that must accept it; left out or null: it closes when its cause is gone. */
      readonly acceptedBy?: string | null;
    }
  | { readonly move: "check"; readonly check: NewCheck }
  /** The dates a waiting check runs by, set when its step has begun. */
  | { readonly move: "check_due"; readonly checkId: CheckId; readonly settlesAt: Date | null; readonly dueAt: Date | null }
  | { readonly move: "ask_batch"; readonly number: number; readonly because: string }
  | { readonly move: "ask_canaries"; readonly because: string }
  | {
      readonly move: "obligation";
      readonly id: string;
      readonly kind: ObligationKind;
      readonly targetId: TargetId | null;
      readonly subjectId: SubjectId | null;
      readonly name: string;
      readonly prior: unknown;
      readonly madeBy: string | null;
      readonly endsAt: Date | null;
    }
  | { readonly move: "preflight"; readonly passedAt: Date | null; readonly because: string }
  | { readonly move: "report"; readonly report: AcceptanceReport }
  | {
      readonly move: "baseline";
      readonly classId: ClassId;
      readonly jobId: string;
      readonly runIds: readonly string[];
      readonly because: string;
    }
  | {
      readonly move: "saved";
      readonly targetId: TargetId;
      readonly components: readonly { readonly name: string; readonly savedVersion: string | null }[];
    }
  | { readonly move: "prior"; readonly targetId: TargetId; readonly service: { readonly state: string; readonly reason: string | null } }
  | { readonly move: "close_finding"; readonly key: string; readonly because: string }
  /** An outbox row: a page wakes somebody, a message does not (R12.5). */
  | { readonly move: "message"; readonly urgency: "page" | "message"; readonly key: string; readonly title: string; readonly text: string }
  // ── what only people's actions write ──
  | {
      readonly move: "decision";
      readonly id: string;
      readonly kind: DecisionKind;
      readonly on: DecidedOn;
      readonly checkId: CheckId | null;
      readonly choice: string;
      readonly permits: string;
      readonly facts: Readonly<Record<string, unknown>>;
      readonly reason: string;
      readonly fingerprint: Sha256;
      readonly byId: PersonId;
      readonly until: Date | null;
    }
  | {
      readonly move: "revision";
      readonly revision: number;
      readonly yaml: string;
      readonly plan: Plan;
      readonly layout: PlanLayout;
      readonly fingerprint: Sha256;
      readonly standingFingerprint: Sha256;
      readonly byId: PersonId;
    }
  | {
      readonly move: "lock_job";
      readonly classId: ClassId;
      readonly jobId: string;
      readonly baselineId: string | null;
      readonly capture: boolean;
      readonly byId: PersonId;
    }
  | {
      readonly move: "window";
      readonly id: string;
      readonly startsAt: Date;
      readonly endsAt: Date;
      readonly timezone: string;
      readonly byId: PersonId;
      readonly state: "booked" | "cancelled";
    }
  | { readonly move: "release_hold"; readonly holdId: string; readonly byId: PersonId | null; readonly reason: string }
  | { readonly move: "accept_finding"; readonly findingId: string; readonly decisionId: string; readonly because: string }
  | {
      readonly move: "link_rehearsal";
      readonly rehearsalId: string;
      readonly kind: "failure" | "recovery";
      readonly finding: RehearsalFinding;
      readonly byId: PersonId;
    }
  | {
      readonly move: "reading";
      readonly id: string;
      readonly reportId: string;
      readonly byId: PersonId;
      readonly answers: SecondReadingAnswers;
      readonly differences: readonly SecondReadingDifference[];
      readonly fingerprint: Sha256;
    }
  | { readonly move: "offer"; readonly id: string; readonly to: PersonId; readonly by: PersonId; readonly expiresAt: Date }
  | { readonly move: "answer_offer"; readonly id: string; readonly answer: "accepted" | "declined"; readonly byId: PersonId }
  | { readonly move: "owner"; readonly to: PersonId }
  | { readonly move: "investigator"; readonly targetId: TargetId; readonly personId: PersonId }
  | { readonly move: "released_to"; readonly targetId: TargetId; readonly personId: PersonId; readonly ticket: string }
  /** A class of its own made by a person: the part of a split, or a merge. The targets named go over to it. */
  | {
      readonly move: "node_class";
      readonly label: string;
      readonly part: string;
      readonly madeFrom: readonly ClassId[];
      readonly decisionId: string;
      readonly targets: readonly TargetId[];
    }
  /** Appended batch for a retry. */
  | { readonly move: "retry_batch"; readonly number: number; readonly targets: readonly TargetId[]; readonly because: string }
  /** A step gets more time (a drain that a person lets wait). */
  | { readonly move: "deadline"; readonly targetId: TargetId; readonly deadlineAt: Date; readonly because: string }
  /** Read again: the check has no verdict until new evidence; nothing gathered before `settlesAt` counts for it. */
  | { readonly move: "check_again"; readonly checkId: CheckId; readonly settlesAt: Date; readonly dueAt: Date; readonly because: string }
  /** Execution manual: a person did what the command says; the outcome ends it as a worker's would. */
  | { readonly move: "command_done"; readonly key: CommandKey; readonly outcome: CommandOutcome; readonly byId: PersonId }
  /** Another target of the class becomes its canary, because the one before was left out. */
  | { readonly move: "role"; readonly targetId: TargetId; readonly role: "canary" | "member"; readonly because: string }
  /** Owed after a DEGRADED end and every emergency (R11.6). */
  | { readonly move: "post_mortem"; readonly ownerId: PersonId; readonly dueAt: Date; readonly trigger: string }
  | { readonly move: "confirmed_definition"; readonly byId: PersonId };
