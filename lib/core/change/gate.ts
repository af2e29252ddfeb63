import { GATES, type GateId } from "@/lib/core/check/gate-id";
import type { ClassId } from "@/lib/core/kernel/ids";
import { classesInPlay } from "./class-in-play";
import { baselineGate, jobGate, rehearsalGate, approvalGate } from "./gate-before-touch";
import { canaryGate, readingGate, reportGate, signOffGate } from "./gate-of-canary";
import { batchesGate, closeGate, definitionGate, validationGate } from "./gate-of-end";
import { preflightGate } from "./gate-of-preflight";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import { canariesOf, needsSignOff, signOffOf } from "./sign-off-rules";
import type { Snapshot } from "./snapshot";

type GateState =
  | { readonly is: "done"; readonly at: Date }
  | { readonly is: "open" | "later"; readonly because: readonly Reason[] }
  | { readonly is: "not_applicable"; readonly because: string };
export type GateStates = Readonly<Record<GateId, GateState>>;

/** One gate by itself: passed at a moment, not asked for, or what it still lacks. */
export type GateAnswer = { readonly at: Date } | { readonly notAsked: string } | readonly Reason[];
export type GateRule = (s: Snapshot, policy: Policy, now: Date) => GateAnswer;

const GATE_RULES = {
  acceptance_job: jobGate,
  baseline: baselineGate,
  rehearsal: rehearsalGate,
  plan_approval: approvalGate,
  preflight: preflightGate,
  canary: canaryGate,
  acceptance_report: reportGate,
  sign_off: signOffGate,
  second_reading: readingGate,
  batches: batchesGate,
  fabric_validation: validationGate("fabric_validation"),
  spot_validation: validationGate("spot_validation"),
  definition_agrees: definitionGate,
  close: closeGate,
} as const satisfies Record<GateId, GateRule>;

/** All gates in order: `open` is the first that is not done, the others that are not done are `later` (R7.5). */
export function gateStates(s: Snapshot, policy: Policy, now: Date): GateStates {
  let openSeen = false;
  const states = GATES.map((gate): [GateId, GateState] => {
    const answer = GATE_RULES[gate](s, policy, now);
    if (isLacking(answer)) {
      const is = openSeen ? "later" : "open";
      openSeen = true;
      return [gate, { is, because: answer }];
    }
    return [gate, "at" in answer ? { is: "done", at: answer.at } : { is: "not_applicable", because: answer.notAsked }];
  });
  return Object.fromEntries(states) as GateStates;
}

/** What a gate still lacks; nothing where it is done or not asked for. */
export const lackingIn = (state: GateState): readonly Reason[] => (state.is === "open" || state.is === "later" ? state.because : []);

/** Why nothing may pass this point: the gates before it that are not done, each with its own reasons. */
export const gatesBefore = (states: GateStates, point: GateId): readonly Reason[] =>
  GATES.slice(0, GATES.indexOf(point)).flatMap((gate) => lackingIn(states[gate]));

/** Classes whose sign-off counts now; a class that needs none is among them once its canaries, if any, are accepted (R5.4). */
export const signedClasses = (s: Snapshot, now: Date): readonly ClassId[] =>
  classesInPlay(s).filter((id) =>
    needsSignOff(s, id) ? signOffOf(s, id, now) !== null : canariesOf(s, id).every((t) => t.step === "accepted"),
  );

const isLacking = (answer: GateAnswer): answer is readonly Reason[] => Array.isArray(answer);
