import { NODE_OUTCOMES, STEP_TRAITS, type NodeOutcome } from "./step";
import type { Target } from "./target";

/** How many targets stand in each of the sixteen outcomes; every word is there, and the counts add up to the plan (R8.6). */
export function tally(targets: readonly Target[]): Readonly<Record<NodeOutcome, number>> {
  const counts = Object.fromEntries(NODE_OUTCOMES.map((word) => [word, 0])) as Record<NodeOutcome, number>;
  for (const target of targets) counts[STEP_TRAITS[target.step].outcome] += 1;
  return counts;
}
