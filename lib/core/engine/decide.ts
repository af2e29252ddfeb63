// decide: what happens by itself to one change at this moment, as moves of the record, commands for the outside world, and waits with their reasons.
// It may look at the snapshot, the cluster's numbers and the given time, and at nothing else.
// It must never act, ask a clock, send one key twice, call missing data a pass, or begin under a hold what a person has not let begin.
// Example: a canary whose checks all pass -> { moves: [gpu001 validating > returning], commands: [release gpu001], waits: [] }.
import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { isInHand, STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { Wait } from "@/lib/core/change/wait";
import { announce } from "./announce";
import { applyMoves } from "./apply-moves";
import { holdSource } from "./hold-source";
import { holdWindow } from "./hold-window";
import { judgeChecks } from "./judge-checks";
import { endRollback, failBatches, succeedBatches } from "./judge-batches";
import { lookAt, plus, type Look } from "./look";
import { followTarget, type Followed } from "./next-step";
import { freezeReports } from "./freeze-reports";
import { relapses } from "./relapse";
import type { Ruling } from "./ruling";
import { endPreflight, judgePreflight } from "./run-preflight";
import { runValidations } from "./run-validations";
import { sentBack, startRollbacks } from "./start-rollbacks";
import { startTargets } from "./start-targets";
import { watch } from "./watch";

type Part = { readonly moves: readonly Move[]; readonly commands?: readonly NewCommand[]; readonly waits?: readonly Wait[] };

/** How long a quiet change is left alone when nothing tells it to look earlier. */
const IDLE_MS = 60_000;

/**
 * One look. The order matters: verdicts, then what nobody planned, then targets whose surgery runs, then the failures that shows, then whatever would
 * begin surgery, then successes, then new targets; otherwise a sibling would begin its update in the very look that sees a failure.
 */
export function decide(snapshot: Snapshot, policy: Policy, now: Date): Ruling {
  let s = snapshot;
  const moves: Move[] = [];
  const commands: NewCommand[] = [];
  const waits: Wait[] = [];
  const phase = (rule: (look: Look) => Part): void => {
    const part = rule(lookAt(s, policy, now));
    if (part.waits !== undefined) waits.push(...part.waits);
    if (part.moves.length === 0 && (part.commands ?? []).length === 0) return;
    moves.push(...part.moves);
    commands.push(...(part.commands ?? []));
    s = applyMoves(s, part.moves, part.commands ?? [], now);
  };
  if (isActive(snapshot)) {
    phase((look) => ({ moves: judgePreflight(look) }));
    phase((look) => endPreflight(look));
    phase((look) => ({ moves: judgeChecks(look) }));
    phase((look) => watch(look));
    phase((look) => ({ moves: relapses(look) }));
    phase((look) => ({ moves: holdWindow(look) }));
    phase((look) => ({ moves: holdSource(look) }));
    phase((look) => follow(look, (t) => STEP_TRAITS[t.step].goesOnWhenHeld || STEP_TRAITS[t.step].settled));
    phase((look) => ({ moves: failBatches(look) }));
    phase((look) => follow(look, (t) => isInHand(t.step) && !STEP_TRAITS[t.step].goesOnWhenHeld));
    phase((look) => ({ moves: freezeReports(look) }));
    phase((look) => ({ moves: succeedBatches(look) }));
    phase((look) => ({ moves: startRollbacks(look) }));
    phase((look) => ({ moves: sentBack(look).length > 0 ? [] : endRollback(look) }));
    phase((look) => startTargets(look));
    phase((look) => runValidations(look));
  }
  return { moves: [...moves, ...announce(snapshot, moves)], commands, waits, lookAgainAt: lookAgainAt(s, moves, waits, policy, now) };
}

const isActive = (s: Snapshot): boolean =>
  s.change.state === "PREFLIGHT" || s.change.state === "IN_PROGRESS" || s.change.state === "ROLLBACK";

function follow(look: Look, isMeant: (t: Target) => boolean): Followed {
  const all = look.s.targets.filter(isMeant).map((t) => followTarget(look, t));
  return { moves: all.flatMap((f) => f.moves), commands: all.flatMap((f) => f.commands), waits: all.flatMap((f) => f.waits) };
}

/** At once after a move, which may make room for the next; else at the next known moment, and often while nodes are in hand. */
function lookAgainAt(s: Snapshot, moves: readonly Move[], waits: readonly Wait[], policy: Policy, now: Date): Date {
  if (moves.length > 0) return now;
  const busy = s.change.state === "PREFLIGHT" || s.targets.some((t) => isInHand(t.step));
  const known = waits.flatMap((w) => (w.until !== null && w.until > now ? [w.until.getTime()] : []));
  return new Date(Math.min(plus(now, busy ? policy.pollMs : IDLE_MS).getTime(), ...known));
}
