import type { ChangeId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { PlanPreview } from "@/lib/core/planner/preview";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";
import { understandPlan } from "./understand-plan";

/** The preview of a plan that is being written; nothing is recorded. */
export async function previewYaml(deps: Pick<Deps, "store" | "clock" | "hash">, yaml: string): Promise<Result<PlanPreview, Refusal>> {
  const understood = await understandPlan(deps, yaml);
  return understood.ok ? ok(understood.value.preview) : understood;
}

/** The preview of a recorded plan against the inventory of now; what was approved stands in the record. */
export async function previewChange(deps: Pick<Deps, "store" | "clock" | "hash">, changeId: string): Promise<Result<PlanPreview, Refusal>> {
  const yaml = await deps.store.planYaml(changeId as ChangeId);
  return yaml === null ? err(refusal("not_found", `There is no change ${changeId}.`)) : await previewYaml(deps, yaml);
}
