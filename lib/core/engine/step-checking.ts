import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import type { CommandOutcome } from "@/lib/core/change/command-request";
import type { NodeStep } from "@/lib/core/change/step";
import { isOurReason } from "@/lib/core/node/service-observation";
import { commandOf, drainReason, standing, type Look } from "./look";
import { ask, goTo, running, type StepRuling } from "./step-ruling";

type Health = NonNullable<CommandOutcome["health"]>;

/**
 * The health check before anything is touched (R9.1). Drained by somebody else, down, short of GPUs or unreadable: left alone, not failed (R8.1,
 * R9.2). What the scheduler said first is kept, whatever comes of it.
 */
export function stepChecking(look: Look, t: Target): StepRuling {
  const health = commandOf(look, t, "check_health");
  if (health === null) {
    const request = { kind: "check_health" as const, node: t.name, expectGpus: t.gpus };
    return {
      commands: [ask(look, t, request, { because: "health check before anything is touched", deadlineMs: look.s.plan.timeouts.healthMs })],
    };
  }
  const now = standing(health, look);
  if (now === "running") return running(t, health, look);
  const seen = health.outcome?.health;
  if (now !== "done" || seen === undefined)
    return goTo("withheld", `its health could not be read: ${health.outcome?.because ?? "no answer before the deadline"}`);
  const verdict = judge(seen, t.gpus, drainReason(look, t), look.s.plan.poweredDown);
  const prior: readonly Move[] =
    t.prior === null ? [{ move: "prior", targetId: t.id, service: { state: seen.state, reason: seen.reason } }] : [];
  return { ...goTo(verdict.step, verdict.because), moves: prior };
}

function judge(h: Health, gpus: number, ours: string, poweredDown: "skip" | "boot"): { readonly step: NodeStep; readonly because: string } {
  switch (h.state) {
    case "absent":
      return { step: "not_at_provider", because: "the scheduler's complete list does not name it" };
    case "powered_down":
      return {
        step: "not_running",
        because:
          poweredDown === "skip" ? "powered down by the scheduler; the plan skips such nodes" : "powered down; booting it is not built yet",
      };
    case "drained":
    case "draining":
      if (!isOurReason(h.reason, ours))
        return { step: "withheld", because: `drained before this plan, reason "${h.reason ?? ""}"; stays drained` };
      break;
    case "down":
      return { step: "withheld", because: `down before this plan${h.reason === null ? "" : `, reason "${h.reason}"`}` };
    case "unknown":
      return { step: "withheld", because: "the scheduler does not say in which state it is" };
    case "in_service":
      break;
  }
  if (gpus > 0 && h.gpusSeen === null) return { step: "withheld", because: `its GPUs could not be counted; the inventory has ${gpus}` };
  if (gpus > 0 && h.gpusSeen !== null && h.gpusSeen < gpus)
    return { step: "withheld", because: `unhealthy before us: ${h.gpusSeen} of ${gpus} GPUs seen` };
  return { step: "saving", because: "healthy and held by nobody" };
}
