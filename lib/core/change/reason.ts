import type { Post, Role } from "@/lib/core/access/roles";
import type { GateId } from "@/lib/core/check/gate-id";
import type { ObservedField, UnknownBecause } from "@/lib/core/config-state/observation";
import type { ChangeId, CheckId, CommandKey, PersonId, Sha256 } from "@/lib/core/kernel/ids";
import type { NodeJob } from "@/lib/core/node/service";
import type { Action } from "./actions";
import type { DecisionKind } from "./decision";
import type { HoldKind } from "./hold";
import type { ObligationKind } from "./obligation";
import type { ChangeState } from "./state";

/** Why something is closed, waits or is unknown. One renderer, `sentence(reason)`, gives page, API and worker the same words. */
export type Reason =
  | { readonly code: "gate_open"; readonly gate: GateId; readonly because: string }
  | {
      readonly code: "check_unresolved" | "check_failed";
      readonly checkId: CheckId;
      readonly name: string;
      readonly on: string;
      readonly because: string;
    }
  | { readonly code: "held"; readonly kind: HoldKind; readonly ownerId: PersonId; readonly because: string }
  | { readonly code: "batch_undecided"; readonly batch: number }
  | { readonly code: "batch_delay" | "notice" | "spacing" | "freeze"; readonly until: Date; readonly because: string }
  | { readonly code: "window_closed"; readonly opensAt: Date | null }
  | { readonly code: "window_too_short"; readonly needMs: number; readonly leftMs: number }
  | {
      readonly code: "no_room";
      readonly limit: "own" | "total";
      readonly allowed: number;
      readonly unit: "GPUs" | "nodes";
      readonly takenBy: readonly string[];
    }
  | { readonly code: "other_change"; readonly changeId: ChangeId; readonly on: string }
  | { readonly code: "first_of_scale_set"; readonly scaleSet: string; readonly first: string }
  | { readonly code: "settling"; readonly name: string; readonly on: string; readonly until: Date }
  | { readonly code: "preflight_old"; readonly passedAt: Date; readonly because: string }
  | { readonly code: "finding_open"; readonly finding: string; readonly on: string; readonly because: string; readonly acceptedBy: string }
  | { readonly code: "obligation"; readonly kind: ObligationKind; readonly on: string }
  | { readonly code: "committed"; readonly since: Date }
  | { readonly code: "not_waivable"; readonly name: string; readonly because: string }
  | { readonly code: "reads_first"; readonly personId: PersonId }
  | { readonly code: "foreign_drain"; readonly on: string; readonly text: string }
  | { readonly code: "jobs_running"; readonly on: string; readonly jobs: readonly NodeJob[] }
  | { readonly code: "budget"; readonly on: string; readonly budget: string; readonly allowed: number; readonly needed: number }
  | { readonly code: "command_running"; readonly key: CommandKey; readonly since: Date }
  | { readonly code: "unknown"; readonly on: string; readonly field: ObservedField; readonly unknown: UnknownBecause }
  | { readonly code: "own_work"; readonly personId: PersonId; readonly did: "wrote" | "ran" }
  | { readonly code: "role"; readonly needs: Role }
  /** Only who holds this post of the change; nobody yet: the plan or its course names none. */
  | { readonly code: "post"; readonly needs: Post; readonly people: readonly PersonId[] }
  /** Something has to exist or to have happened first; `next` is what to do about it. */
  | { readonly code: "not_yet"; readonly what: string; readonly next: string }
  /** It is so already, or can never be so any more: nothing to do. */
  | { readonly code: "settled"; readonly what: string }
  | { readonly code: "decision_ended"; readonly kind: DecisionKind; readonly how: "revoked" | "expired"; readonly at: Date | null }
  | { readonly code: "stopped"; readonly choice: "stop" | "roll_back_all"; readonly byId: PersonId }
  /** What was asked for would loosen what was approved or signed. */
  | { readonly code: "widens"; readonly what: string; readonly next: string }
  | { readonly code: "void"; readonly what: "plan" | "report"; readonly signedFor: Sha256; readonly now: Sha256 }
  | { readonly code: "waiting_for_person"; readonly action: Action; readonly who: readonly PersonId[] }
  | { readonly code: "state"; readonly state: ChangeState; readonly because: string };
