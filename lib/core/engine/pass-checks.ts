import { checksFor } from "@/lib/core/check/write-checks";
import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import { savedVersionOf } from "./component-of";
import { jobOf, type Look } from "./look";

/** The checks of this pass, as moves, where they are not written yet (R2.1). */
export function writeChecks(look: Look, t: Target): readonly Move[] {
  const { change, plan } = look.s;
  if ((look.checksBy.get(t.id) ?? []).some((c) => c.generation === t.generation && (c.gate === "canary" || c.gate === "batches")))
    return [];
  const job = jobOf(look, t);
  const checks = checksFor({
    changeId: change.id,
    target: { id: t.id, classId: t.classId, role: t.role, aim: t.aim, gpus: t.gpus },
    generation: t.generation,
    validate: plan.validate,
    telemetry: plan.telemetry,
    goal: change.goal,
    wanted: t.aim === "prior" ? savedVersionOf(t, change.goal) : change.goal.text,
    // Model and instance belong to an image; for everything else the host is the layer a node is judged by, and the definition a gate of its own (R1.6).
    layers: change.goal.component === "image" && t.scaleSet !== null ? ["vmss_model", "instance_model", "host_report"] : ["host_report"],
    job: job === null ? null : { id: job.jobId, capture: job.capture && job.baseline === null },
  });
  return checks.map((check) => ({ move: "check", check }));
}
