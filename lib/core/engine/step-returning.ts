import type { CommandView } from "@/lib/core/change/command";
import type { Target } from "@/lib/core/change/target";
import { isForeign } from "@/lib/core/node/service";
import { commandsOf, drainReason, lastOf, standing, type Look } from "./look";
import { endReservation } from "./reservation";
import { serviceAfter } from "./service-after";
import { settleAll } from "./step-releasing";
import { ask, goTo, running, waitFor, type StepRuling } from "./step-ruling";

/**
 * Back to work: the reservation goes (the node was resumed inside it), else our drain is lifted; and only what the scheduler then shows makes it
 * accepted, or rolled back (R9.3, R8.5). A drain that is no longer ours stays: the node is held for a person.
 */
export function stepReturning(look: Look, t: Target): StepRuling {
  // A drain that was lost is set again first; lifting it meanwhile would be a race with ourselves.
  const drain = lastOf(look, t, "drain");
  if (drain !== null && standing(drain, look) === "running") return running(t, drain, look);
  const reserved = endReservation(look, t, false);
  if (reserved !== null) return reserved;
  const unreserve = lastOf(look, t, "unreserve");
  const release = releaseOf(look, t);
  if (
    unreserve !== null &&
    standing(unreserve, look) !== "done" &&
    release === null &&
    unreserve.request.kind === "unreserve" &&
    !unreserve.request.drainFirst
  )
    return goTo("unresolved", `its reservation did not go: ${unreserve.outcome?.because ?? "no answer"}`);
  if (release !== null && standing(release, look) === "running") return running(t, release, look);
  const resumedInside = unreserve !== null && lastOf(look, t, "reserve")?.state === "succeeded" && isAfterReserve(look, t);
  if (release === null && !resumedInside) return askRelease(look, t);
  const seen = serviceAfter(look, t, release?.finishedAt ?? unreserve?.finishedAt ?? null);
  if (seen.is === "not_yet") return waitFor(t, seen.because);
  const { service } = seen;
  if (service.state === "in_service")
    return {
      ...goTo(
        t.aim === "prior" ? "rolled_back" : "accepted",
        t.aim === "prior" ? "accepted on the old version, in service" : "accepted, in service",
      ),
      moves: settleAll(look, t),
    };
  if (isForeign(service))
    return goTo("unresolved", `drained by somebody else, reason "${service.reason ?? ""}"; its return waits for a decision`);
  if (release === null) return askRelease(look, t);
  if (standing(release, look) !== "done") return goTo("unresolved", `its drain was not lifted: ${release.outcome?.because ?? "no answer"}`);
  return waitFor(t, { code: "unknown", on: t.name, field: "service", unknown: "sources_disagree" });
}

/** The last reservation of this pass was ended without a new drain, so the node is in service as it was resumed. */
const isAfterReserve = (look: Look, t: Target): boolean => {
  const last = lastOf(look, t, "unreserve");
  return last?.request.kind === "unreserve" && !last.request.drainFirst;
};

/** The release of this return; one of an earlier return in the same pass is past. */
const releaseOf = (look: Look, t: Target): CommandView | null => {
  const last = lastOf(look, t, "release");
  return last !== null && (last.finishedAt === null || last.finishedAt >= t.since) ? last : null;
};

function askRelease(look: Look, t: Target): StepRuling {
  const request = { kind: "release" as const, node: t.name, reason: drainReason(look, t) };
  const nth = commandsOf(look, t, "release").length + 1;
  return { commands: [ask(look, t, request, { because: "every check passes: back to work", deadlineMs: look.policy.commandMs, nth })] };
}
