import { blocks } from "@/lib/core/check/verdict";
import { checkReason } from "@/lib/core/change/gate-of-preflight";
import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import { isForeign } from "@/lib/core/node/service";
import { unresolvedJudgement } from "./judge-evidence";
import { baselineCheckOf, checksOf, type Look } from "./look";
import { endReservation } from "./reservation";
import { serviceAfter } from "./service-after";
import { layersOf } from "./step-observing";
import { goTo, waitFor, waitOf, type StepRuling } from "./step-ruling";

/**
 * Held until a person acts or evidence comes (R2.6): asked for again, a check is gathered again; once none blocks, the node goes on from there.
 * Nothing is retried by itself.
 */
export function stepUnresolved(look: Look, t: Target): StepRuling {
  const reserved = endReservation(look, t, true);
  if (reserved !== null) return reserved;
  if (!t.updateBegan && t.mode === "update" && t.aim === "goal") return beforeUpdate(look, t);
  const contradicted = contradictedLayers(look, t);
  if (contradicted.length > 0) return { moves: contradicted };
  const checks = checksOf(look, t);
  const again = checks.filter((c) => c.verdict === null && c.settlesAt !== null);
  if (again.some((c) => c.spec.kind === "configuration"))
    return goTo("observing", "its layers are read again", { deadlineMs: look.policy.observeForMs });
  const layers = layersOf(look, t);
  const agree = layers.length > 0 && layers.every((c) => !blocks(c, look.now));
  if (again.length > 0 && agree) return goTo("validating", "its checks are gathered again");
  if (agree && checks.some((c) => c.verdict === null)) return goTo("validating", "the evidence has come: every layer agrees");
  if (agree && checks.every((c) => !blocks(c, look.now))) return mayReturn(look, t);
  return { waits: checks.filter((c) => blocks(c, look.now)).map((c) => waitOf(t, checkReason(c, t.name))) };
}

/** A layer that passed and says something else now: two answers that differ, until somebody has it read again (R2.3). */
const contradictedLayers = (look: Look, t: Target): readonly Move[] =>
  layersOf(look, t).flatMap((check): readonly Move[] => {
    const row = t.aim === "goal" ? t.board?.now : undefined;
    const match = check.spec.kind === "configuration" ? row?.[check.spec.field as keyof typeof row] : undefined;
    if (check.verdict !== "pass" || match?.verdict !== "differs" || match.known.is !== "value") return [];
    const because = `${check.name} says ${match.known.value} now, it passed on ${match.wanted}`;
    return [{ move: "judge", checkId: check.id, judged: unresolvedJudgement("sources_disagree", because) }];
  });

/** The baseline was not usable, so the update did not start: measured again, or gone on without where an approver waived it. */
function beforeUpdate(look: Look, t: Target): StepRuling {
  const baseline = baselineCheckOf(look, t);
  if (baseline === null || baseline.verdict === "fail") return stuck(t);
  const ready = baseline.verdict === null ? baseline.settlesAt !== null : !blocks(baseline, look.now);
  return ready ? goTo("measuring", "its baseline is measured again, or was waived") : stuck(t);
}

/** All evidence is there. It goes back when that is new, or when the scheduler shows it free: a failed return is never repeated by itself. */
function mayReturn(look: Look, t: Target): StepRuling {
  const seen = serviceAfter(look, t, t.since);
  if (seen.is === "seen" && isForeign(seen.service))
    return waitFor(t, { code: "foreign_drain", on: t.name, text: seen.service.reason ?? "" });
  if (seen.is === "seen" && seen.service.state === "in_service") return goTo("returning", "back in service with every check passed");
  return hasNews(look, t) ? goTo("returning", "no check blocks any more") : stuck(t);
}

const hasNews = (look: Look, t: Target): boolean => {
  const checks = checksOf(look, t);
  if (checks.some((c) => c.judgedAt !== null && c.judgedAt >= t.since)) return true;
  return look.s.decisions.some(
    (d) => !d.revoked && d.at >= t.since && ((d.on.what === "check" && checks.some((c) => c.id === d.on.id)) || d.on.id === t.id),
  );
};

const stuck = (t: Target): StepRuling =>
  waitFor(t, {
    code: "not_yet",
    what: `${t.name} is unresolved: ${t.because ?? "nobody can say"}`,
    next: "get the evidence, waive, roll it back or release it",
  });
