import type { Move } from "@/lib/core/change/move";
import type { Reason } from "@/lib/core/change/reason";
import type { Target } from "@/lib/core/change/target";
import { isForeign } from "@/lib/core/node/service";
import { mayBeginUpdate } from "./begin-update";
import { baselineCheckOf, drainReason, jobOf, lastOf, openObligation, plus, standing, type Look } from "./look";
import { isDrainedEmpty, jobsReason, serviceAfter } from "./service-after";
import { RELEASE_TO } from "./step-releasing";
import { ask, goTo, running, waitFor, type StepRuling } from "./step-ruling";

/** Drain, and wait until no job in any state is left (R9.5). Nothing is killed or requeued; past the deadline the plan or a person says what then. */
export function stepDraining(look: Look, t: Target): StepRuling {
  const drain = lastOf(look, t, "drain");
  if (drain === null) return askDrain(look, t, "drained for this change");
  const now = standing(drain, look);
  if (now === "running") return running(t, drain, look);
  const seen = serviceAfter(look, t, drain.finishedAt);
  if (seen.is === "not_yet") return late(look, t) ? atDeadline(look, t, seen.because) : waitFor(t, seen.because);
  const { service } = seen;
  if (isForeign(service))
    return {
      ...goTo("withheld", `drained by somebody else, reason "${service.reason ?? ""}"; stays drained`),
      moves: settleDrain(look, t),
    };
  if (isDrainedEmpty(service)) return drained(look, t);
  if (service.state === "down" || service.state === "absent" || service.state === "powered_down")
    return goTo("releasing", `${service.state.replace("_", " ")} before its update began`, { stage: RELEASE_TO.indexOf("skipped") });
  if (service.ours) {
    const jobs = jobsReason(t, service);
    return late(look, t) ? atDeadline(look, t, jobs) : waitFor(t, jobs, t.deadlineAt);
  }
  if (now !== "done")
    return { ...goTo("withheld", `it could not be drained: ${drain.outcome?.because ?? "no answer"}`), moves: settleDrain(look, t) };
  return waitFor(t, { code: "unknown", on: t.name, field: "service", unknown: "sources_disagree" });
}

/** Our drain is recorded as owed before it is sent, so that nothing can be forgotten outside (R12.4). */
export function askDrain(look: Look, t: Target, because: string): StepRuling {
  const nth = lastOf(look, t, "drain") === null ? 1 : countDrains(look, t) + 1;
  const request = { kind: "drain" as const, node: t.name, reason: drainReason(look, t) };
  const command = ask(look, t, request, { because, deadlineMs: look.policy.commandMs, nth });
  return { commands: [command], moves: oweDrain(look, t, command.key) };
}

/** Our drain of this node, owed from the moment it is asked for; nothing where it is owed already. */
export const oweDrain = (look: Look, t: Target, madeBy: string): readonly Move[] =>
  openObligation(look, t, "drain") !== null
    ? []
    : [
        {
          move: "obligation",
          id: `${look.s.change.id}/${t.id}/drain/${t.generation}`,
          kind: "drain",
          targetId: t.id,
          subjectId: t.subjectId,
          name: drainReason(look, t),
          prior: t.prior === null ? null : { state: t.prior.state, reason: t.prior.reason },
          madeBy,
          endsAt: null,
        },
      ];
const countDrains = (look: Look, t: Target): number =>
  look.s.commands.filter((c) => c.targetId === t.id && c.kind === "drain" && c.generation === t.generation).length;

const settleDrain = (look: Look, t: Target): readonly Move[] => {
  const open = openObligation(look, t, "drain");
  return open === null ? [] : [{ move: "settle", obligationId: open.id, because: "the scheduler no longer shows a drain of ours" }];
};

function drained(look: Look, t: Target): StepRuling {
  if (t.mode === "validate_only")
    return goTo("observing", "already on the target version: read back and judged, never updated", {
      deadlineMs: look.policy.observeForMs,
    });
  const job = jobOf(look, t);
  const wanted = job?.capture === true && job.baseline === null && baselineCheckOf(look, t) !== null;
  const because = mayBeginUpdate(look, t);
  if (because.length > 0)
    return { waits: because.map((reason) => ({ about: { what: "target", id: t.id }, because: reason, until: null })) };
  if (wanted) return goTo("measuring", "drained and empty; its baseline is measured first");
  return goTo("updating", "drained and empty", { deadlineMs: look.s.plan.timeouts.updateMs });
}

/** A person who lets it wait moves the deadline itself. */
const late = (look: Look, t: Target): boolean => (t.deadlineAt ?? plus(t.since, look.s.plan.drain.deadlineMs)) <= look.now;

function atDeadline(look: Look, t: Target, because: Reason): StepRuling {
  const { onDeadline } = look.s.plan.drain;
  const late = "its drain limit passed with work still on it";
  if (onDeadline === "skip-node") return goTo("releasing", late, { stage: RELEASE_TO.indexOf("skipped") });
  if (onDeadline === "defer-node") return goTo("releasing", late, { stage: RELEASE_TO.indexOf("deferred") });
  const decider = look.s.change.people.decisionOwner ?? look.s.change.operatorId;
  return {
    waits: [
      { about: { what: "target", id: t.id }, because, until: null },
      { about: { what: "target", id: t.id }, because: { code: "waiting_for_person", action: "decide-drain", who: [decider] }, until: null },
    ],
  };
}
