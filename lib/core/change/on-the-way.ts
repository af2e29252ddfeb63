import type { GateId } from "@/lib/core/check/gate-id";

/** Steps on the way of a change, with the gate that each one passes. */
const STEP_OF_GATE: Readonly<Record<string, GateId>> = {
  "lock-job": "acceptance_job",
  "link-rehearsal": "rehearsal",
  "approve-plan": "plan_approval",
  "run-preflight": "preflight",
  "start-canary": "canary",
  "sign-off": "sign_off",
  "reject-canary": "sign_off",
  "record-reading": "second_reading",
  "start-batch": "batches",
  "run-fabric-validation": "fabric_validation",
  "run-spot-validation": "spot_validation",
  "confirm-definition": "definition_agrees",
  close: "close",
};
/** What a change may wait for from a person, besides its steps. */
const ANSWERS = new Set([
  "accept-finding",
  "judge",
  "run-check",
  "waive",
  "decide",
  "decide-drain",
  "resume",
  "accept-ownership",
  "decline-ownership",
]);

type Gates = readonly { readonly gate: string; readonly is: string }[];

/** A step whose gate is not passed yet. What is behind the change is not ahead. */
export const isAhead = ({ action }: { readonly action: string }, gates: Gates): boolean =>
  gates.some(({ gate, is }) => gate === STEP_OF_GATE[action] && (is === "open" || is === "later"));

/** A step that is ahead, or an answer the way may wait for; everything else is seldom wanted. */
export const isOnTheWay = (one: { readonly action: string }, gates: Gates): boolean => ANSWERS.has(one.action) || isAhead(one, gates);
