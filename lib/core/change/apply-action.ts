import type { Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { ActionState } from "./action-state";
import type { ActionRequest } from "./action-request";
import { ACTION_TRAITS } from "./actions";
import type { Effect, EffectContext, EffectInput } from "./effects/effect";
import { judge, recordReading, rejectCanary, signOff, voidCanary } from "./effects/canary-effects";
import { decide } from "./effects/failure-effects";
import { acceptFinding, approvePlan, editPlan, grantRelaxation, narrow, rejectPlan, revoke } from "./effects/plan-effects";
import {
  bookWindow,
  cancelWindow,
  captureBaseline,
  linkRehearsal,
  lockJob,
  mergeClasses,
  runPreflight,
  splitClass,
} from "./effects/preparation-effects";
import { acceptOwnership, close, declineOwnership, offerOwnership, settleObligation, withdraw } from "./effects/record-effects";
import {
  confirmDefinition,
  pause,
  resume,
  runCheck,
  runFabricValidation,
  runSpotValidation,
  startBatch,
  startCanary,
  uploadEvidence,
  waive,
} from "./effects/run-effects";
import {
  askCheckpoint,
  assignInvestigator,
  decideDrain,
  deferNode,
  releaseNode,
  retryNode,
  rollBackNode,
  withdrawNode,
} from "./effects/target-effects";
import { mayAct } from "./may-act";
import type { Move } from "./move";
import { actionStates, type ChangeAction } from "./permitted-actions";
import type { Reason } from "./reason";
import { sentence } from "./sentence";
import type { Snapshot } from "./snapshot";

const EFFECTS: { readonly [A in ChangeAction]: Effect<A> } = {
  "edit-plan": editPlan,
  narrow,
  "split-class": splitClass,
  "merge-classes": mergeClasses,
  "lock-job": lockJob,
  "capture-baseline": captureBaseline,
  "link-rehearsal": linkRehearsal,
  "accept-finding": acceptFinding,
  "approve-plan": approvePlan,
  "reject-plan": rejectPlan,
  "book-window": bookWindow,
  "cancel-window": cancelWindow,
  "run-preflight": runPreflight,
  "run-check": runCheck,
  waive,
  "upload-evidence": uploadEvidence,
  "start-canary": startCanary,
  judge,
  "sign-off": signOff,
  "reject-canary": rejectCanary,
  "void-canary": voidCanary,
  "record-reading": recordReading,
  "start-batch": startBatch,
  pause,
  resume,
  decide,
  "decide-drain": decideDrain,
  "ask-checkpoint": askCheckpoint,
  "retry-node": retryNode,
  "withdraw-node": withdrawNode,
  "defer-node": deferNode,
  "roll-back-node": rollBackNode,
  "release-node": releaseNode,
  "assign-investigator": assignInvestigator,
  "grant-relaxation": grantRelaxation,
  "confirm-definition": confirmDefinition,
  "run-fabric-validation": runFabricValidation,
  "run-spot-validation": runSpotValidation,
  "offer-ownership": offerOwnership,
  "accept-ownership": acceptOwnership,
  "decline-ownership": declineOwnership,
  "settle-obligation": settleObligation,
  revoke,
  withdraw,
  close,
};

export type ActionContext = EffectContext & { readonly actor: { readonly id: PersonId; readonly roles: readonly Role[] } };
/** not_allowed: not this person; closed: not now, whoever asks; invalid: the input; not_found: no such thing; conflict: the record moved on. */
type ActionRefusal = {
  readonly code: "not_allowed" | "closed" | "invalid" | "not_found" | "conflict";
  readonly reasons: readonly Reason[];
  /** The reasons in words, as everywhere. */ readonly because: string;
};
type Applied = {
  readonly moves: readonly Move[];
  /** The one audit event of the action. */
  readonly event: {
    readonly action: string;
    readonly targetId: string | null;
    readonly because: string;
    readonly facts: Readonly<Record<string, unknown>>;
  };
};

/** What an action writes, or why not: it is open, this person may do it, and the record is the one that was seen (MODEL 4.4). */
export function applyAction(s: Snapshot, request: ActionRequest, context: ActionContext): Result<Applied, ActionRefusal> {
  const refuse = (code: ActionRefusal["code"], reasons: readonly Reason[]) =>
    err<ActionRefusal>({
      code,
      reasons,
      because: reasons.map((r) => sentence(r, { person: (id) => s.people.find((p) => p.id === id)?.name ?? id })).join(" "),
    });
  if (request.version !== undefined && request.version !== s.change.version)
    return refuse("conflict", [
      { code: "not_yet", what: `the record is at version ${s.change.version}, version ${request.version} was seen`, next: "look again" },
    ]);
  const state = stateFor(s, request, context);
  if (state === null)
    return refuse("not_found", [
      {
        code: "not_yet",
        what: `${onOf(request) ?? "nothing"} is nothing that ${request.action} can be done to`,
        next: "name one of those that are listed",
      },
    ]);
  const may = mayAct(state, context.actor);
  if (!may.allowed) return refuse("not_allowed", [may.because]);
  if (!state.permitted) return refuse("closed", state.because);
  const { actor, ...rest } = context;
  const effected = perform(request, { ...rest, s, actor: actor.id });
  if (!effected.ok) return refuse(effected.error.code, [effected.error.because]);
  const { moves, because, facts, targetId } = effected.value;
  return ok({ moves, event: { action: ACTION_TRAITS[request.action].audit, targetId: targetId ?? null, because, facts: facts ?? {} } });
}

type Rest = Omit<EffectInput<ChangeAction>, "request">;
/** The table is complete by type; TypeScript cannot see that the effect and the request are of the same action. */
const perform = <A extends ChangeAction>(request: Extract<ActionRequest, { readonly action: A }>, rest: Rest) =>
  EFFECTS[request.action as A]({ ...rest, request } as EffectInput<A>);

const onOf = (request: ActionRequest): string | null => ("on" in request ? (request.on ?? null) : null);

/** The state of this very thing; a list that has nothing to do it to says why for all of them. */
function stateFor(s: Snapshot, request: ActionRequest, context: ActionContext): ActionState | null {
  const states = actionStates(request.action, s, context.policy, context.now);
  const on = onOf(request);
  return states.find((x) => x.on === on) ?? (states.length === 1 && states[0]?.on === null && !states[0].permitted ? states[0] : null);
}
