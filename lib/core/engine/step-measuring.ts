import { blocks } from "@/lib/core/check/verdict";
import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import { nextRun, runsOf } from "./acceptance-runs";
import { mayBeginUpdate } from "./begin-update";
import { baselineCheckOf, jobOf, lastOf, standing, type Look } from "./look";
import { askReservation, endReservation } from "./reservation";
import { isDrainedEmpty, jobsReason, serviceAfter } from "./service-after";
import { goTo, running, waitFor, waitOf, type StepRuling } from "./step-ruling";

/**
 * `baseline: capture`: the canary runs the locked job in the same drain, just before its update (R3.3). If that is not correct the update does not
 * start and the node is unresolved; a captured baseline is recorded before the node is touched.
 */
export function stepMeasuring(look: Look, t: Target): StepRuling {
  const check = baselineCheckOf(look, t);
  const job = jobOf(look, t);
  if (check === null || job === null) return begin(look, t);
  if (check.verdict === null) {
    const reserve = lastOf(look, t, "reserve");
    if (reserve === null) return askReservation(look, t);
    if (standing(reserve, look) === "running") return running(t, reserve, look);
    if (standing(reserve, look) === "unknown" || standing(reserve, look) === "late")
      return goTo("unresolved", `nobody can say whether its reservation was made: ${reserve.outcome?.because ?? "no answer"}`);
    return nextRun(look, t, check, job) ?? {};
  }
  const reserved = endReservation(look, t, true);
  if (reserved !== null) return reserved;
  if (blocks(check, look.now)) return goTo("unresolved", `its baseline is not usable, so the update does not start: ${check.because}`);
  const since = lastOf(look, t, "unreserve")?.finishedAt ?? null;
  const seen = serviceAfter(look, t, since);
  if (seen.is === "not_yet") return waitFor(t, seen.because);
  if (!isDrainedEmpty(seen.service)) return waitFor(t, jobsReason(t, seen.service));
  if (job.baseline === null && check.verdict === "pass") return recorded(look, t);
  return begin(look, t);
}

function recorded(look: Look, t: Target): StepRuling {
  const check = baselineCheckOf(look, t);
  const job = jobOf(look, t);
  if (check === null || job === null) return {};
  const keys = new Set(runsOf(look, t, check).map((c) => c.key as string));
  const runIds = look.s.runs.filter((r) => r.commandKey !== null && keys.has(r.commandKey)).map((r) => r.id);
  const move: Move = {
    move: "baseline",
    classId: t.classId,
    jobId: job.jobId,
    runIds,
    because: `${runIds.length} correct runs on ${t.name} before its update`,
  };
  return { moves: [move] };
}

function begin(look: Look, t: Target): StepRuling {
  const closed = mayBeginUpdate(look, t);
  if (closed.length > 0) return { waits: closed.map((because) => waitOf(t, because)) };
  return goTo("updating", "baseline measured", { deadlineMs: look.s.plan.timeouts.updateMs });
}
