import { mayRollBack, type RollbackState } from "@/lib/core/change/rollback";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";

export type OnFailure = "roll_back_failed_nodes" | "stop_and_page";
const AUTO_ROLLBACKS = 3,
  COMMIT_AFTER = 3;
export const ROLLBACK_TRIES = 2;
/** Call before counting: the failure that is happening now. The batch is held for the decision owner either way. */
export const onFailure = (s: RollbackState): OnFailure => (s.failedBatches >= AUTO_ROLLBACKS ? "stop_and_page" : "roll_back_failed_nodes");
export const countBatch = (s: RollbackState, outcome: "succeeded" | "failed", now: Date): RollbackState =>
  outcome === "failed"
    ? { ...s, failedBatches: s.failedBatches + 1, streak: 0 }
    : { ...s, streak: s.streak + 1, committedAt: s.committedAt ?? (s.streak + 1 >= COMMIT_AFTER ? now : null) };
type MemberFate = "stays" | "goes_on" | "returns_untouched" | "rolls_back" | "nothing_to_send";
/** R8.2, per member of a failed batch. `rolls_back` may still end in rollback_failed when one component is impossible. */
export const fateInFailedBatch = (t: Target, then: OnFailure): MemberFate => {
  const traits = STEP_TRAITS[t.step];
  if (t.step === "failed" && t.updateBegan && t.aim === "goal")
    return then === "stop_and_page" ? "stays" : t.rollback.some(mayRollBack) ? "rolls_back" : "nothing_to_send";
  if (traits.settled || !traits.holdsSlot) return "stays";
  return traits.goesOnWhenHeld ? "goes_on" : "returns_untouched";
};
