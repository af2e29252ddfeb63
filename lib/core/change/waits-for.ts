import type { Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { ActionState, NextAction } from "./action-state";
import type { Action } from "./actions";
import { mayAct } from "./may-act";

/**
 * Where the record waits for somebody's own word, most blocking first. Everything else that is permitted (pause, withdraw, upload ...) is an offer, not
 * a debt: it does not wait for anybody.
 */
const ANSWERS: readonly Action[] = [
  "decide",
  "decide-drain",
  "accept-ownership",
  "sign-off",
  "record-reading",
  "judge",
  "waive",
  "accept-finding",
  "approve-plan",
  "lock-job",
];

type Waiting = { readonly action: Action; readonly on: string | null; /** It is the change's next action. */ readonly next: boolean };

/** What of a change waits for this person: its next action where that is theirs, then every answer that only a person can give and that they may give. */
export function waitsFor(
  person: { readonly id: PersonId; readonly roles: readonly Role[] },
  actions: readonly ActionState[],
  next: NextAction,
): readonly Waiting[] {
  const open = actions.filter((state) => state.permitted && mayAct(state, person).allowed);
  const isNext = (state: ActionState): boolean => next.by === "person" && next.action === state.action && next.on === state.on;
  const asked = open
    .filter((state) => !isNext(state) && ANSWERS.includes(state.action))
    .sort((a, b) => ANSWERS.indexOf(a.action) - ANSWERS.indexOf(b.action));
  return [...open.filter(isNext), ...asked].map((state) => ({ action: state.action, on: state.on, next: isNext(state) }));
}
