import { capacity, thatFit } from "@/lib/core/change/capacity";
import { newest, decisionsOf, standsAt } from "@/lib/core/change/decision-rules";
import type { Move } from "@/lib/core/change/move";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { Look } from "./look";
import { targetMove } from "./step-ruling";
import { canRollBack, rollBack } from "./step-rolling-back";

/**
 * Nodes that a decision on a failed batch sends back: all of them, or those of earlier batches (R8.4). What is out already goes at once; what works
 * goes out as room allows, like any other node (R6.1).
 */
export function startRollbacks(look: Look): readonly Move[] {
  const { s } = look;
  const wanted = sentBack(look);
  if (wanted.length === 0 || s.holds.length > 0) return [];
  const out = wanted.filter((t) => STEP_TRAITS[t.step].holdsSlot);
  const fit = thatFit(
    wanted.filter((t) => !STEP_TRAITS[t.step].holdsSlot),
    capacity(s.limits, s.targets, s.others, s.totalGpus),
  );
  const moves = [...out, ...fit].map((t) => targetMove(t, rollBack(t, "the decision on the failed batch sends it back"), look.now));
  if (moves.length === 0 || s.change.state === "ROLLBACK") return moves;
  return [...moves, { move: "change", to: "ROLLBACK", outcome: null, because: "nodes go back by decision" }];
}

/** Still to be sent back by a decision; those of which nothing may be sent stay where they are. */
export function sentBack(look: Look): readonly Target[] {
  const { s, now } = look;
  const all = newest(decisionsOf(s, "failed_batch").filter((d) => standsAt(d, now) && d.choice === "roll_back_all"));
  const earlier = newest(decisionsOf(s, "failed_batch").filter((d) => standsAt(d, now) && d.facts["earlier"] === "roll_back"));
  const isWanted = (t: Target): boolean =>
    t.aim === "goal" &&
    t.updateBegan &&
    (t.step === "accepted" || (all !== null && (t.step === "failed" || t.step === "unresolved"))) &&
    (all !== null || (earlier !== null && t.since <= earlier.at && t.batch !== Number(earlier.on.id)));
  return all === null && earlier === null ? [] : s.targets.filter((t) => isWanted(t) && canRollBack(look, t));
}
