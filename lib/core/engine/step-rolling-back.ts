import { mayRollBack, type RollbackComponent } from "@/lib/core/change/rollback";
import type { Target } from "@/lib/core/change/target";
import type { Plan } from "@/lib/core/plan/plan";
import { isForeign } from "@/lib/core/node/service";
import { componentOf } from "./component-of";
import { commandOf, lastOf, openObligation, standing, type Look } from "./look";
import { writeChecks } from "./pass-checks";
import { endReservation } from "./reservation";
import { ROLLBACK_TRIES } from "./rollback-policy";
import { isDrainedEmpty, jobsReason, serviceAfter } from "./service-after";
import { askDrain } from "./step-draining";
import { askProbe } from "./step-observing";
import { ask, goTo, running, waitFor, type StepRuling } from "./step-ruling";

type Sendable = Plan["rollback"][number] & { readonly run: string };

/**
 * Back to the saved versions (R8.3): only components that may go back get a command, one after the other. A command that failed is tried once more
 * by itself after the real state was read, never for firmware of which nobody knows the state. Whatever could not be sent makes the rollback not
 * succeed, after the others went back.
 */
export function stepRollingBack(look: Look, t: Target): StepRuling {
  const moves = writeChecks(look, t);
  const ready = outOfService(look, t);
  if (ready !== null) return { ...ready, moves: [...moves, ...(ready.moves ?? [])] };
  const sendable = sendableOf(look, t);
  if (sendable.length === 0) return { ...goTo("rollback_failed", nothingToSend(t)), moves };
  const again = t.stage >= sendable.length ? readFirst(look, t) : null;
  if (again !== null) return { ...again, moves };
  const ruling = sendNext(look, t, sendable);
  return { ...ruling, moves: [...moves, ...(ruling.moves ?? [])] };
}

/** Components that get a command, in the plan's order: allowed, fetchable as far as anyone knows, and with something to run. */
function sendableOf(look: Look, t: Target): readonly Sendable[] {
  const allowed = new Set(t.rollback.filter(isAllowed).map((c) => c.name));
  return look.s.plan.rollback.filter((c): c is Sendable => c.run !== null && allowed.has(c.name));
}
const isAllowed = (c: RollbackComponent): boolean => mayRollBack(c) && !(c.fetchable.is === "value" && !c.fetchable.value);

const nothingToSend = (t: Target): string =>
  t.rollback.length === 0
    ? "the plan names nothing that could go back; nothing was sent"
    : `${t.rollback.map((c) => `${c.name} ${c.capability}`).join(", ")}: nothing was sent`;

/** An accepted node works: it is drained first like any other. A reservation of the pass before is ended with the drain set again. */
function outOfService(look: Look, t: Target): StepRuling | null {
  const reserved = endReservation(look, t, true);
  if (reserved !== null) return reserved;
  const drain = lastOf(look, t, "drain");
  if (drain === null && openObligation(look, t, "drain") === null) return askDrain(look, t, "goes back to the old version");
  if (drain !== null && standing(drain, look) === "running") return running(t, drain, look);
  if (commandOf(look, t, "start_rollback") !== null) return null;
  const seen = serviceAfter(look, t, lastOf(look, t, "unreserve")?.finishedAt ?? drain?.finishedAt ?? null);
  if (seen.is === "not_yet") return waitFor(t, seen.because);
  if (isForeign(seen.service))
    return goTo("unresolved", `drained by somebody else, reason "${seen.service.reason ?? ""}"; going back waits for a decision`);
  if (isDrainedEmpty(seen.service) || seen.service.state === "down") return null;
  return waitFor(t, jobsReason(t, seen.service), t.deadlineAt);
}

function readFirst(look: Look, t: Target): StepRuling | null {
  const probe = commandOf(look, t, "probe");
  if (probe === null) return { commands: [askProbe(look, t, "the real state is read before the second try")] };
  const now = standing(probe, look);
  if (now === "running") return running(t, probe, look);
  return now === "done"
    ? null
    : goTo("rollback_failed", `its real state could not be read before a second try: ${probe.outcome?.because ?? "no answer"}`);
}

function sendNext(look: Look, t: Target, sendable: readonly Sendable[]): StepRuling {
  const at = t.stage % sendable.length;
  const part = sendable[at];
  if (part === undefined) return {};
  const sent = commandOf(look, t, "start_rollback", at + 1);
  if (sent === null) {
    const run = part.run.replaceAll("{saved}", savedOf(t, part.name) ?? "{saved}");
    const request = {
      kind: "start_rollback" as const,
      node: t.name,
      stage: at,
      component: part.name,
      on: part.on,
      run,
      timeoutMs: part.timeoutMs,
    };
    const because = `back to the old version: ${part.name}`;
    return { commands: [ask(look, t, request, { because, deadlineMs: part.timeoutMs, nth: at + 1 })] };
  }
  const now = standing(sent, look);
  if (now === "running") return running(t, sent, look);
  if (now !== "done") return secondTry(look, t, sendable, part, now, sent.outcome?.because ?? "no answer");
  if (at + 1 < sendable.length) return goTo("rolling_back", `${part.name} went back`, { stage: t.stage + 1 });
  const left = t.rollback.filter((c) => !sendable.some((p) => p.name === c.name));
  if (left.length > 0)
    return goTo("rollback_failed", `${left.map((c) => `${c.name} ${c.capability}`).join(", ")}: not sent; the others went back`);
  return look.s.change.rebootNeeded
    ? goTo("rebooting", "old version installed; a reboot proves it", { deadlineMs: look.s.plan.timeouts.rebootMs })
    : goTo("observing", "old version installed", { deadlineMs: look.policy.observeForMs });
}

const savedOf = (t: Target, name: string): string | null => t.rollback.find((c) => c.name === name)?.savedVersion ?? null;

function secondTry(look: Look, t: Target, sendable: readonly Sendable[], part: Sendable, how: string, because: string): StepRuling {
  const tried = Math.floor(t.stage / sendable.length) + 1;
  const firmware = look.s.change.type.endsWith("firmware") || componentOf(part.name, look.s.change.goal).endsWith("firmware");
  if (tried >= ROLLBACK_TRIES) return goTo("rollback_failed", `going back failed ${tried} times: ${because}`);
  if (firmware && how !== "failed")
    return goTo("rollback_failed", `nobody knows the state of ${part.name}, and firmware is never sent twice: ${because}`);
  return goTo("rolling_back", `second try after reading the real state: ${because}`, {
    generation: t.generation + 1,
    stage: sendable.length,
  });
}

/** What a rollback pass begins with. */
export const rollBack = (t: Target, because: string) => ({
  step: "rolling_back" as const,
  because,
  aim: "prior" as const,
  generation: t.generation + 1,
});
/** Whether anything could be sent at all. */
export const canRollBack = (look: Look, t: Target): boolean => sendableOf(look, t).length > 0;
