import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { CheckView } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import type { Component } from "@/lib/core/config-state/observation";
import { blocks } from "@/lib/core/check/verdict";
import { checksOf, commandsOf, lastOf, plus, standing, type Look } from "./look";
import { ask, goTo, running, waitFor, type StepRuling } from "./step-ruling";

/**
 * Every layer that applies must agree with what this pass aims at, as read in this epoch (R1.3, R1.11). The host is asked again and again until it
 * does or the time is over: then another version fails the node, and one that nobody could read leaves it unresolved.
 */
export function stepObserving(look: Look, t: Target): StepRuling {
  const layers = layersOf(look, t);
  const failed = layers.find((c) => c.verdict === "fail");
  if (failed !== undefined)
    return goTo(t.aim === "prior" ? "rollback_failed" : "failed", `${failed.name} does not agree: ${failed.because}`);
  if (layers.length > 0 && layers.every((c) => !blocks(c, look.now))) return goTo("validating", "every layer agrees");
  if (layers.length === 0 && isProbed(look, t))
    return goTo("unresolved", "no layer of it is asked for in this pass: nothing shows what it runs");
  const unresolved = layers.find((c) => c.verdict === "unresolved");
  if (unresolved !== undefined) return goTo("unresolved", `${unresolved.name} is unresolved: ${unresolved.because}`);
  const moves = layers.filter((c) => c.verdict === null && c.dueAt === null).map((c) => dueMove(c, look));
  const last = lastOf(look, t, "probe");
  if (last !== null && standing(last, look) === "running") return { ...running(t, last, look), moves };
  const answered = last?.finishedAt ?? null;
  const again = answered === null || answered < t.since ? look.now : plus(answered, look.policy.pollMs);
  if (last === null || again <= look.now) return { commands: [askProbe(look, t, "the host is asked what it runs")], moves };
  return { ...waitFor(t, { code: "unknown", on: t.name, field: "host_report", unknown: whyUnknown(t) }, again), moves };
}

/** The configuration checks of this pass. */
export const layersOf = (look: Look, t: Target): readonly CheckView[] => checksOf(look, t).filter((c) => c.spec.kind === "configuration");

const dueMove = (c: CheckView, look: Look): Move => ({
  move: "check_due",
  checkId: c.id,
  settlesAt: null,
  dueAt: plus(look.now, look.policy.observeForMs),
});

const whyUnknown = (t: Target) => {
  const host = t.board?.now.host_report;
  return host !== undefined && host.verdict === "unknown" && host.known.is === "unknown" ? host.known.because : "before_reboot";
};

/** One read of the host: its boot id and the components this change is about. */
export const askProbe = (look: Look, t: Target, because: string): NewCommand => {
  const nth = commandsOf(look, t, "probe").length + 1;
  return ask(look, t, { kind: "probe", node: t.name, components: probed(look) }, { because, deadlineMs: look.policy.commandMs, nth });
};

function probed(look: Look): Component[] {
  const { goal } = look.s.change;
  if (goal.component === "image") return (goal.hostProof ?? []).map((p) => p.component);
  return goal.component === "gpu_driver" ? ["gpu_driver", "gpu_driver_library"] : [goal.component];
}

/** A probe was answered since the target came into this step; what an earlier one read says nothing about the state after the step before. */
export const isProbed = (look: Look, t: Target): boolean =>
  commandsOf(look, t, "probe").some((c) => standing(c, look) === "done" && c.finishedAt !== null && c.finishedAt >= t.since);
