import type { CommandOutcome } from "@/lib/core/change/command-request";
import type { ActionRequest } from "@/lib/core/change/action-request";
import type { DecidedOn, DecisionKind } from "@/lib/core/change/decision";
import type { Move } from "@/lib/core/change/move";
import type { ChangeAction } from "@/lib/core/change/permitted-actions";
import type { Policy } from "@/lib/core/change/policy";
import type { Reason } from "@/lib/core/change/reason";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Judged } from "@/lib/core/check/verdict";
import type { HashText } from "@/lib/core/kernel/hash";
import type { CheckId, PersonId, Sha256 } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { Plan } from "@/lib/core/plan/plan";
import type { PlanLayout } from "@/lib/core/planner/layout";

/** A plan as it would stand after an edit, read and laid out by whoever can see the inventory. */
type NewRevision = {
  readonly plan: Plan;
  readonly layout: PlanLayout;
  readonly fingerprint: Sha256;
  readonly standingFingerprint: Sha256;
};

/** What an effect needs besides the record; everything impure is made outside. */
export type EffectContext = {
  readonly now: Date;
  readonly policy: Policy;
  readonly hash: HashText;
  /** A fresh id; more are derived from it. */ readonly id: string;
  /** edit-plan */ readonly revision?: NewRevision;
  /** link-rehearsal: the rehearsal's own record; null: there is none of that id. */ readonly rehearsal?: Snapshot | null;
  /** upload-evidence: what the uploaded evidence shows for a check. */ readonly judged?: Judged;
  /** upload-evidence: how a command performed by hand ended. */ readonly outcome?: CommandOutcome;
};
export type EffectInput<A extends ChangeAction> = EffectContext & {
  readonly s: Snapshot;
  readonly request: Extract<ActionRequest, { readonly action: A }>;
  readonly actor: PersonId;
};
type Effected = {
  readonly moves: readonly Move[];
  readonly because: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly targetId?: string | null;
};
/** invalid: what was sent; closed: the record does not allow this choice. */
type EffectRefusal = { readonly code: "invalid" | "closed" | "not_found"; readonly because: Reason };
export type Effect<A extends ChangeAction> = (input: EffectInput<A>) => Result<Effected, EffectRefusal>;

export const done = (moves: readonly Move[], because: string, more: Omit<Effected, "moves" | "because"> = {}) =>
  ok<Effected>({ moves, because, ...more });
export const refuse = (code: EffectRefusal["code"], what: string, next: string) =>
  err<EffectRefusal>({ code, because: { code: "not_yet", what, next } });
export const closed = (because: Reason) => err<EffectRefusal>({ code: "closed", because });

type DecisionInput = {
  readonly kind: DecisionKind;
  readonly on: DecidedOn;
  readonly choice: string;
  readonly permits: string;
  readonly reason: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly until?: Date | null;
  readonly checkId?: CheckId | null;
  /** Left out: of the plan as it stands. */ readonly fingerprint?: Sha256;
  /** Which of several decisions of one action. */ readonly nth?: number;
};
type Deciding = Pick<EffectInput<ChangeAction>, "s" | "id" | "actor">;

/** The row every human judgement is (R12.1). */
export function decided(e: Deciding, d: DecisionInput): Extract<Move, { move: "decision" }> {
  return {
    move: "decision",
    id: nthId(e.id, d.nth ?? 0),
    kind: d.kind,
    on: d.on,
    checkId: d.checkId ?? null,
    choice: d.choice,
    permits: d.permits,
    facts: d.facts ?? {},
    reason: d.reason,
    fingerprint: d.fingerprint ?? e.s.change.planFingerprint,
    byId: e.actor,
    until: d.until ?? null,
  };
}
const nthId = (id: string, nth: number): string => (nth === 0 ? id : `${id}-${nth}`);
export const onChange = (s: Snapshot): DecidedOn => ({ what: "change", id: s.change.id });
export const nameOf = (s: Snapshot, id: PersonId): string => s.people.find((p) => p.id === id)?.name ?? id;
