import type { PersonId } from "@/lib/core/kernel/ids";
import type { GateStates } from "./gate";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { Snapshot } from "./snapshot";

/** What every condition of an action looks at, worked out once. */
export type ActLook = {
  readonly s: Snapshot;
  readonly policy: Policy;
  readonly now: Date;
  readonly gates: GateStates;
  /** Also what is plainly closed, such as going back for a node that waits. */ readonly full: boolean;
  /** Start conditions as they stand. */ readonly start: readonly Reason[];
};

/** One thing an action may be done to; `because` empty: it is open. `holders` and `kept` only where they depend on the thing. */
export type Possible = {
  readonly on: string | null;
  readonly because: readonly Reason[];
  readonly holders?: readonly PersonId[];
  readonly kept?: readonly PersonId[];
  readonly readFirst?: readonly PersonId[];
};
export type PermitRule = (look: ActLook) => readonly Possible[];

/** The action is about the change itself. */
export const onChange = (because: readonly Reason[], more: Omit<Possible, "on" | "because"> = {}): readonly Possible[] => [
  { on: null, because, ...more },
];
/** Nothing is there to do it to: shown once, closed, so that the action never just disappears. */
export const orNone = (found: readonly Possible[], what: string, next: string): readonly Possible[] =>
  found.length > 0 ? found : onChange([{ code: "not_yet", what, next }]);
export const notYet = (what: string, next: string): Reason => ({ code: "not_yet", what, next });
export const settled = (what: string): Reason => ({ code: "settled", what });
/** The reason when the condition holds, else nothing. */
export const when = (condition: boolean, reason: Reason): readonly Reason[] => (condition ? [reason] : []);
