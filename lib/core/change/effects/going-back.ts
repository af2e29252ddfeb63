import type { Move } from "@/lib/core/change/move";
import { mayRollBack } from "@/lib/core/change/rollback";
import { STEP_TRAITS, type NodeStep } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";

/** A new pass over a node that aims at the saved versions. Nothing for one that was never updated or has nothing that can go back. */
export function goesBack(t: Target, because: string): readonly Move[] {
  const next: readonly NodeStep[] = STEP_TRAITS[t.step].next;
  if (!t.updateBegan || t.mode === "validate_only" || !next.includes("rolling_back") || !t.rollback.some(mayRollBack)) return [];
  return [
    {
      move: "target",
      id: t.id,
      from: t.step,
      to: "rolling_back",
      aim: "prior",
      stage: 0,
      generation: t.generation + 1,
      deadlineAt: null,
      because,
    },
  ];
}

/** Waiting again in a new pass, for the goal. */
export const startsAgain = (t: Target, because: string): Move => ({
  move: "target",
  id: t.id,
  from: t.step,
  to: "waiting",
  aim: "goal",
  stage: 0,
  generation: t.generation + 1,
  deadlineAt: null,
  because,
});
