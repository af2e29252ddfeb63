import { blocks } from "@/lib/core/check/verdict";
import type { CheckView } from "@/lib/core/change/snapshot";
import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import { dueBy, isOver, nextRun, runsOf } from "./acceptance-runs";
import { parserOf } from "./judge-evidence";
import { checksOf, commandsOf, jobOf, lastOf, plus, standing, type Look } from "./look";
import { askReservation } from "./reservation";
import { isProbed, layersOf } from "./step-observing";
import { ask, goTo, running, waitOf, type StepRuling } from "./step-ruling";

/**
 * All checks of the pass, one run after the other. One failure fails the node, anything that stays unresolved holds it, and only when none blocks
 * does it go back (R2.6). Nothing is retried by itself.
 */
export function stepValidating(look: Look, t: Target): StepRuling {
  const checks = checksOf(look, t);
  if (checks.length === 0) return goTo("unresolved", "it has no check of this pass: nothing shows that it may go back");
  const open = commandsOf(look, t, "start_run").find((c) => !isOver(c, look));
  const failed = checks.find((c) => c.verdict === "fail");
  if (failed !== undefined && open === undefined)
    return goTo(t.aim === "prior" ? "rollback_failed" : "failed", `${failed.name} failed: ${failed.because}`);
  const settle = checks
    .filter((c) => c.spec.kind === "telemetry" && c.verdict === null && c.settlesAt === null)
    .map((c) => settleMove(c, look));
  if (open !== undefined) return { ...running(t, open, look), moves: settle };
  const next = nextCheck(look, t, checks);
  if (next !== null) return { ...next, moves: [...settle, ...(next.moves ?? [])] };
  const waiting = checks.filter((c) => c.verdict === null);
  if (waiting.length > 0) return { moves: settle, waits: waiting.map((c) => waitOf(t, settling(c, t, look), c.settlesAt ?? c.dueAt)) };
  const unresolved = checks.find((c) => blocks(c, look.now));
  if (unresolved !== undefined) return goTo("unresolved", `${unresolved.name} is unresolved: ${unresolved.because}`);
  return goTo("returning", "every check passes or is waived");
}

const settling = (c: CheckView, t: Target, look: Look) => ({
  code: "settling" as const,
  name: c.name,
  on: t.name,
  until: c.settlesAt ?? c.dueAt ?? look.now,
});

const settleMove = (c: CheckView, look: Look): Move => {
  const { settleMs, freshnessMs } = c.spec.kind === "telemetry" ? c.spec : { settleMs: 0, freshnessMs: 0 };
  const settlesAt = plus(look.now, settleMs);
  return { move: "check_due", checkId: c.id, settlesAt, dueAt: plus(settlesAt, 2 * freshnessMs) };
};

/** The next thing to run: the plan's commands in their order, then the acceptance job inside its reservation. null: nothing is left to run. */
function nextCheck(look: Look, t: Target, checks: readonly CheckView[]): StepRuling | null {
  if (layersOf(look, t).some((c) => c.verdict === null) && !isProbed(look, t))
    return goTo("observing", "its layers have to be read again", { deadlineMs: look.policy.observeForMs });
  const acceptance = checks.find((c) => c.spec.kind === "acceptance" && c.verdict === null);
  const job = jobOf(look, t);
  if (acceptance !== undefined && job !== null) {
    const reserve = lastOf(look, t, "reserve");
    const needed = reserve === null || commandsOf(look, t, "unreserve").length >= commandsOf(look, t, "reserve").length;
    if (needed) return askReservation(look, t);
    if (standing(reserve, look) === "running") return running(t, reserve, look);
  }
  for (const check of checks) {
    if (check.verdict !== null || check.spec.kind !== "command" || runsOf(look, t, check).length > 0) continue;
    return runCommand(look, t, check);
  }
  return acceptance !== undefined && job !== null ? nextRun(look, t, acceptance, job) : null;
}

function runCommand(look: Look, t: Target, check: CheckView): StepRuling {
  if (check.spec.kind !== "command") return {};
  const { run, on, timeoutMs } = check.spec;
  const parser = parserOf(check.spec);
  const nth = commandsOf(look, t, "start_run").length + 1;
  const request = { kind: "start_run" as const, node: t.name, nodes: [t.name], checkId: check.id, job: null, run, on, parser, timeoutMs };
  const command = ask(look, t, request, { because: `check "${check.name}"`, deadlineMs: timeoutMs + look.policy.commandMs, nth });
  return { commands: [command], moves: dueBy(look, check, timeoutMs) };
}
