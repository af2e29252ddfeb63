import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import type { Look } from "./look";
import { followTarget } from "./next-step";
import { writeChecks } from "./pass-checks";
import { targetMove, type NextStep } from "./step-ruling";

/** Takes targets into hand: their step, every check of this pass, and the first command. */
export function takeTargets(
  look: Look,
  targets: readonly Target[],
  because: string,
): { readonly moves: readonly Move[]; readonly commands: readonly NewCommand[] } {
  const moves: Move[] = [];
  const commands: NewCommand[] = [];
  for (const t of targets) {
    const to: NextStep = { step: "checking", because, deadlineMs: look.s.plan.timeouts.healthMs };
    moves.push(targetMove(t, to, look.now), ...writeChecks(look, t));
    const first = followTarget(look, { ...t, step: "checking", stage: 0, since: look.now });
    moves.push(...first.moves);
    commands.push(...first.commands);
  }
  return { moves, commands };
}
