import type { Target } from "@/lib/core/change/target";
import { commandOf, standing, type Look } from "./look";
import { askProbe } from "./step-observing";
import { jobsReason, serviceAfter } from "./service-after";
import { ask, goTo, running, waitFor, type StepRuling } from "./step-ruling";

/**
 * The update, one stage after the other, each sent once (R9.4). A stage that failed fails the node; one of which nobody can say how it ended
 * leaves the node held and the real state read, never sent again.
 */
export function stepUpdating(look: Look, t: Target): StepRuling {
  const { plan } = look.s;
  const stage = plan.update[t.stage];
  if (stage === undefined) return afterUpdate(look);
  const update = commandOf(look, t, "start_update", t.stage + 1);
  if (update === null) {
    const busy = t.stage > 0 ? notEmpty(look, t) : null;
    if (busy !== null) return busy;
    const { name, on, run, timeoutMs } = stage;
    const request = { kind: "start_update" as const, node: t.name, stage: t.stage, name, on, run, timeoutMs };
    const asked = { because: `update, stage ${t.stage + 1} of ${plan.update.length}: ${name}`, deadlineMs: timeoutMs, nth: t.stage + 1 };
    return { commands: [ask(look, t, request, asked)] };
  }
  switch (standing(update, look)) {
    case "running":
      return running(t, update, look);
    case "failed":
      return goTo("failed", `update "${stage.name}" failed: ${update.outcome?.because ?? "no reason given"}`);
    case "unknown":
    case "late":
      return readRealState(look, t, `nobody can say how update "${stage.name}" ended: ${update.outcome?.because ?? "no answer"}`);
    case "done":
      return t.stage + 1 < plan.update.length
        ? goTo("updating", `stage "${stage.name}" done`, { stage: t.stage + 1, deadlineMs: plan.timeouts.updateMs })
        : afterUpdate(look);
  }
}

const afterUpdate = (look: Look): StepRuling =>
  look.s.change.rebootNeeded
    ? goTo("rebooting", "update done; a reboot proves it", { deadlineMs: look.s.plan.timeouts.rebootMs })
    : goTo("observing", "update done; no reboot needed", { deadlineMs: look.policy.observeForMs });

/** Unresolved, with one read of the host: what is there now is evidence for whoever decides. */
const readRealState = (look: Look, t: Target, because: string): StepRuling => ({
  ...goTo("unresolved", because),
  commands: [askProbe(look, t, "nobody can say how the last command ended: the real state is read")],
});

/** Proven by a new boot id or a later boot time, not by the order having been taken (R9.4). */
export function stepRebooting(look: Look, t: Target): StepRuling {
  const reboot = commandOf(look, t, "reboot");
  if (reboot === null) {
    const busy = notEmpty(look, t);
    if (busy !== null) return busy;
    const request = { kind: "reboot" as const, node: t.name, bootedBefore: t.bootId };
    return { commands: [ask(look, t, request, { because: "reboot after the update", deadlineMs: look.s.plan.timeouts.rebootMs })] };
  }
  const now = standing(reboot, look);
  if (now === "done" || hasBooted(t, reboot.request.kind === "reboot" ? reboot.request.bootedBefore : null, reboot.startedAt))
    return goTo("observing", "booted: a new boot id was read", { deadlineMs: look.policy.observeForMs });
  if (now === "running") return running(t, reboot, look);
  const because = reboot.outcome?.because ?? "no answer";
  if (now === "failed") return goTo(t.aim === "prior" ? "rollback_failed" : "failed", `the reboot failed: ${because}`);
  return readRealState(look, t, `it did not come back from its reboot in time: ${because}`);
}

/** A reboot or the next stage only on a drained, empty node (R9.5): whose drain was lost meanwhile waits until it is set again and the jobs have ended. */
function notEmpty(look: Look, t: Target): StepRuling | null {
  const seen = serviceAfter(look, t, null);
  if (seen.is === "not_yet") return waitFor(t, seen.because);
  const { service } = seen;
  return service.state === "in_service" || service.jobs.length > 0 ? waitFor(t, jobsReason(t, service)) : null;
}

function hasBooted(t: Target, bootedBefore: string | null, sentAt: Date | null): boolean {
  if (sentAt === null) return false;
  if (bootedBefore !== null && t.bootId !== null && t.bootId !== bootedBefore) return true;
  return t.bootedAfter.is === "value" && t.bootedAfter.value > sentAt;
}
