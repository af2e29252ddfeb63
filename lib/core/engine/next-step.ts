import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { Reason } from "@/lib/core/change/reason";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { Wait } from "@/lib/core/change/wait";
import { assertNever } from "@/lib/core/kernel/result";
import { closedByHold } from "./begin-update";
import type { Look } from "./look";
import { endReservation } from "./reservation";
import { jobsReason } from "./service-after";
import { stepChecking } from "./step-checking";
import { stepDraining } from "./step-draining";
import { stepMeasuring } from "./step-measuring";
import { stepObserving } from "./step-observing";
import { stepReleasing } from "./step-releasing";
import { stepReturning } from "./step-returning";
import { stepRollingBack } from "./step-rolling-back";
import { goTo, targetMove, waitOf, type StepRuling } from "./step-ruling";
import { stepSaving } from "./step-saving";
import { stepUnresolved } from "./step-unresolved";
import { stepRebooting, stepUpdating } from "./step-updating";
import { stepValidating } from "./step-validating";

export type Followed = { readonly moves: readonly Move[]; readonly commands: readonly NewCommand[]; readonly waits: readonly Wait[] };

/** No path is longer than this in one look; a step that would go round in a circle stops here and shows as a move per look. */
const MOST_STEPS = 6;

/**
 * Follows one target as far as what is known takes it, with the first command of the step it comes to. A target before its update stands still
 * under a hold; from the update on it runs to its end and is judged.
 */
export function followTarget(look: Look, start: Target): Followed {
  const moves: Move[] = [];
  const commands: NewCommand[] = [];
  let t = start;
  for (let i = 0; i < MOST_STEPS; i += 1) {
    const ruling = stepOf(look, t);
    moves.push(...(ruling.moves ?? []));
    commands.push(...(ruling.commands ?? []));
    if (ruling.to === undefined) return { moves, commands, waits: ruling.waits ?? [] };
    const { to } = ruling;
    moves.push(targetMove(t, to, look.now));
    if (to.generation !== undefined || STEP_TRAITS[to.step].settled || (ruling.commands ?? []).length > 0)
      return { moves, commands, waits: [] };
    t = {
      ...t,
      step: to.step,
      stage: to.stage ?? 0,
      aim: to.aim ?? t.aim,
      because: to.because,
      since: look.now,
      updateBegan: t.updateBegan || to.step === "updating",
      deadlineAt: to.deadlineMs === undefined ? null : new Date(look.now.getTime() + to.deadlineMs),
    };
  }
  return { moves, commands, waits: [] };
}

/** What runs on a node that drains goes on under a hold as well, and is named (R9.5). */
const stillOn = (t: Target): readonly Reason[] =>
  t.step === "draining" && t.service.is === "value" && t.service.value.ours && t.service.value.jobs.length > 0
    ? [jobsReason(t, t.service.value)]
    : [];

function stepOf(look: Look, t: Target): StepRuling {
  const held = STEP_TRAITS[t.step].goesOnWhenHeld ? [] : closedByHold(look.s);
  if (held.length > 0 && !STEP_TRAITS[t.step].settled) return { waits: [...held, ...stillOn(t)].map((because) => waitOf(t, because)) };
  switch (t.step) {
    case "checking":
      return stepChecking(look, t);
    case "saving":
      return stepSaving(look, t);
    case "protecting":
      // This version knows no cluster that would suspend or scale a node in: nothing is to be set, nothing is owed.
      return goTo("draining", "nothing to protect it from", { deadlineMs: look.s.plan.drain.deadlineMs });
    case "draining":
      return stepDraining(look, t);
    case "measuring":
      return stepMeasuring(look, t);
    case "updating":
      return stepUpdating(look, t);
    case "rebooting":
      return stepRebooting(look, t);
    case "observing":
      return stepObserving(look, t);
    case "validating":
      return stepValidating(look, t);
    case "returning":
      return stepReturning(look, t);
    case "rolling_back":
      return stepRollingBack(look, t);
    case "releasing":
      return stepReleasing(look, t);
    case "unresolved":
      return stepUnresolved(look, t);
    case "failed":
    case "rollback_failed":
      return endReservation(look, t, true) ?? {};
    case "waiting":
    case "accepted":
    case "rolled_back":
    case "withheld":
    case "skipped":
    case "deferred":
    case "released":
    case "not_running":
    case "not_at_provider":
      return {};
    default:
      return assertNever(t.step);
  }
}
