import type { ActionState } from "./action-state";
import { ACTION_TRAITS, type Action } from "./actions";
import { gateStates } from "./gate";
import { mayRunCheck, mayRunPreflight, mayUploadEvidence, mayWaive } from "./permit-checks";
import { mayJudge, mayRecordReading, mayRejectCanary, maySignOff, mayVoidCanary } from "./permit-canary";
import type { ActLook, PermitRule, Possible } from "./permit-look";
import {
  mayAcceptFinding,
  mayApprovePlan,
  mayBookWindow,
  mayCancelWindow,
  mayCaptureBaseline,
  mayEditPlan,
  mayGrantRelaxation,
  mayLinkRehearsal,
  mayLockJob,
  mayMergeClasses,
  mayNarrow,
  mayRejectPlan,
  maySplitClass,
} from "./permit-plan";
import { mayAnswerOffer, mayClose, mayOfferOwnership, mayRevoke, maySettleObligation, mayWithdraw } from "./permit-record";
import { mayConfirmDefinition, mayDecide, mayPause, mayResume, mayRunValidation, mayStartBatch, mayStartCanary } from "./permit-run";
import {
  mayAskCheckpoint,
  mayAssignInvestigator,
  mayDecideDrain,
  mayLeaveOut,
  mayReleaseNode,
  mayRetryNode,
  mayRollBackNode,
} from "./permit-target";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { Snapshot } from "./snapshot";
import { startConditions } from "./start-conditions";
import { whoMay } from "./who-may";

/** stop-all and lift-stop are of a cluster, not of a change (R7.6). */
export type ChangeAction = Exclude<Action, "stop-all" | "lift-stop">;

const PERMIT_RULES = {
  "edit-plan": mayEditPlan,
  narrow: mayNarrow,
  "split-class": maySplitClass,
  "merge-classes": mayMergeClasses,
  "lock-job": mayLockJob,
  "capture-baseline": mayCaptureBaseline,
  "link-rehearsal": mayLinkRehearsal,
  "accept-finding": mayAcceptFinding,
  "approve-plan": mayApprovePlan,
  "reject-plan": mayRejectPlan,
  "book-window": mayBookWindow,
  "cancel-window": mayCancelWindow,
  "run-preflight": mayRunPreflight,
  "run-check": mayRunCheck,
  waive: mayWaive,
  "upload-evidence": mayUploadEvidence,
  "start-canary": mayStartCanary,
  judge: mayJudge,
  "sign-off": maySignOff,
  "reject-canary": mayRejectCanary,
  "void-canary": mayVoidCanary,
  "record-reading": mayRecordReading,
  "start-batch": mayStartBatch,
  pause: mayPause,
  resume: mayResume,
  decide: mayDecide,
  "decide-drain": mayDecideDrain,
  "ask-checkpoint": mayAskCheckpoint,
  "retry-node": mayRetryNode,
  "withdraw-node": mayLeaveOut("skipped"),
  "defer-node": mayLeaveOut("deferred"),
  "roll-back-node": mayRollBackNode,
  "release-node": mayReleaseNode,
  "assign-investigator": mayAssignInvestigator,
  "grant-relaxation": mayGrantRelaxation,
  "confirm-definition": mayConfirmDefinition,
  "run-fabric-validation": mayRunValidation("fabric_validation"),
  "run-spot-validation": mayRunValidation("spot_validation"),
  "offer-ownership": mayOfferOwnership,
  "accept-ownership": mayAnswerOffer,
  "decline-ownership": mayAnswerOffer,
  "settle-obligation": maySettleObligation,
  revoke: mayRevoke,
  withdraw: mayWithdraw,
  close: mayClose,
} as const satisfies Record<ChangeAction, PermitRule>;

const CHANGE_ACTIONS = Object.keys(PERMIT_RULES) as readonly ChangeAction[];

/** Every action, per thing it can be done to: open, or closed with every reason. The same value answers "why is nothing happening?" (R7.4). */
export function permittedActions(s: Snapshot, policy: Policy, now: Date): readonly ActionState[] {
  const look = lookAt(s, policy, now, false);
  return CHANGE_ACTIONS.flatMap((action) => statesOf(action, look));
}

/** One action on everything it can be about, the plainly closed ones too. */
export const actionStates = (action: ChangeAction, s: Snapshot, policy: Policy, now: Date): readonly ActionState[] =>
  statesOf(action, lookAt(s, policy, now, true));

const lookAt = (s: Snapshot, policy: Policy, now: Date, full: boolean): ActLook => ({
  s,
  policy,
  now,
  full,
  gates: gateStates(s, policy, now),
  start: startConditions(s, policy, now),
});

function statesOf(action: ChangeAction, look: ActLook): readonly ActionState[] {
  const inState = stateReason(action, look.s);
  const found = PERMIT_RULES[action](look);
  const things = found.length > 0 ? found : [{ on: null, because: [nothingToDo(action)] }];
  const everybody = whoMay(action, look, { on: null, because: [] });
  return things.map((thing): ActionState => {
    const because = [...inState, ...thing.because];
    const open = because.length === 0 ? { permitted: true as const } : { permitted: false as const, because };
    return { action, on: thing.on, who: isPersonal(thing) ? whoMay(action, look, thing) : everybody, ...open };
  });
}

const isPersonal = (thing: Possible): boolean => thing.holders !== undefined || thing.kept !== undefined || thing.readFirst !== undefined;

const nothingToDo = (action: ChangeAction): Reason => ({
  code: "not_yet",
  what: `there is no ${ACTION_TRAITS[action].on === "target" ? "node" : ACTION_TRAITS[action].on} this fits`,
  next: "nothing to do",
});

function stateReason(action: ChangeAction, s: Snapshot): readonly Reason[] {
  const states: readonly string[] = ACTION_TRAITS[action].in;
  if (states.includes(s.change.state)) return [];
  const ended = s.change.endedAt !== null || s.change.state === "COMPLETED" || s.change.state === "DEGRADED";
  return [
    { code: "state", state: s.change.state, because: ended ? "it has ended" : `${action.replaceAll("-", " ")} is not for this state` },
  ];
}
