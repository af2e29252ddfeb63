import type { CommandView } from "@/lib/core/change/command";
import type { CheckView, LockedJob } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import type { Move } from "@/lib/core/change/move";
import { commandsOf, lastOf, plus, standing, type Look } from "./look";
import { standingReservation } from "./reservation";
import { ask, running, type StepRuling } from "./step-ruling";

/** The runs of one check in this pass that count: none from before it was asked for again. */
export const runsOf = (look: Look, t: Target, check: CheckView): readonly CommandView[] =>
  commandsOf(look, t, "start_run").filter(
    (c) =>
      c.request.kind === "start_run" &&
      c.request.checkId === check.id &&
      (check.settlesAt === null || c.state === "planned" || (c.startedAt !== null && c.startedAt >= check.settlesAt)),
  );

/** Ended one way or another: also past its deadline without a word. */
export const isOver = (c: CommandView, look: Look): boolean => standing(c, look) !== "running";
/** It ran to an end that somebody can judge. */
const hasRun = (c: CommandView): boolean =>
  c.outcome !== null && c.outcome.result !== "unknown" && (c.outcome.exitCode !== undefined || c.state === "succeeded");

/** Nothing more is to be run for this acceptance check: every repeat ended, or one did not end well. */
export const isRunOut = (look: Look, t: Target, check: CheckView, job: LockedJob): boolean => {
  const runs = runsOf(look, t, check);
  return runs.every((c) => isOver(c, look)) && (runs.length >= job.spec.repeats || runs.some((c) => !endedWell(c)));
};
const endedWell = (c: CommandView): boolean => hasRun(c) && (c.outcome?.exitCode ?? 0) === 0;

/**
 * The next repeat of the acceptance job, one after the other so that none disturbs another; null when all were run. Inside the reservation where
 * one could be made, else over SSH on the drained node (R3.6).
 */
export function nextRun(look: Look, t: Target, check: CheckView, job: LockedJob): StepRuling | null {
  const runs = runsOf(look, t, check);
  const last = runs.at(-1);
  if (last !== undefined && !isOver(last, look)) return running(t, last, look);
  if (isRunOut(look, t, check, job) || check.spec.kind !== "acceptance") return null;
  const nth = commandsOf(look, t, "start_run").length + 1;
  const reserve = lastOf(look, t, "reserve");
  const inside = reserve !== null && standing(reserve, look) === "done" ? (standingReservation(look, t)?.name ?? null) : null;
  const { spec } = job;
  const parser = spec.expectOutput.kind === "parser" ? spec.expectOutput.parser : (spec.metrics[0]?.parser ?? null);
  const request = {
    kind: "start_run" as const,
    node: t.name,
    nodes: [t.name],
    checkId: check.id,
    job: {
      id: job.jobId,
      purpose: check.spec.purpose,
      script: spec.script,
      name: `clearance-${look.s.change.id}-${t.name}-${t.generation}-${nth}`,
      reservation: inside,
      repeat: runs.length + 1,
      parser,
    },
    run: null,
    on: "node" as const,
    parser,
    timeoutMs: spec.timeLimitMs,
  };
  const because = `${spec.name}, run ${runs.length + 1} of ${spec.repeats}${inside === null ? ", over SSH: no reservation" : ""}`;
  const command = ask(look, t, request, { because, deadlineMs: spec.timeLimitMs + look.policy.commandMs, nth });
  return { commands: [command], moves: dueBy(look, check, spec.timeLimitMs) };
}

/** The check runs by this run's limit from now on. */
export const dueBy = (look: Look, check: CheckView, limitMs: number): readonly Move[] => [
  { move: "check_due", checkId: check.id, settlesAt: check.settlesAt, dueAt: plus(look.now, limitMs + 2 * look.policy.commandMs) },
];
