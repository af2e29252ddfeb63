import { maintenanceType } from "./maintenance-types";
import type { Plan, PlanCommand } from "./plan";

/** One thing that is done to a target on its way to the goal, in order. The kinds are those of commands. */
export type Stage =
  | { readonly kind: "start_update"; readonly command: PlanCommand }
  | { readonly kind: "set_model" | "apply_model" | "reimage" }
  | { readonly kind: "reboot"; readonly how: "node" | "switch" | "power_cycle" };

/**
 * The ordered stages of one target: the plan's commands, then the reboot if the type needs one.
 * An image goes model, instance, reimage (R1.8), and the reimage is its reboot.
 */
export function procedureOf(plan: Plan): readonly Stage[] {
  if (plan.type === "vmss_image" && plan.update.length === 0) return [{ kind: "set_model" }, { kind: "apply_model" }, { kind: "reimage" }];
  const stages: Stage[] = plan.update.map((command) => ({ kind: "start_update", command }));
  const { reboot } = maintenanceType(plan.type);
  return reboot === "none" ? stages : [...stages, { kind: "reboot", how: reboot }];
}
