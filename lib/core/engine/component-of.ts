import { COMPONENTS, type Component } from "@/lib/core/config-state/observation";
import type { ChangeGoal } from "@/lib/core/config-state/goal";
import type { Target } from "@/lib/core/change/target";

/** Which observed component a rollback component's free name means; the goal's own when the name says nothing else. */
export function componentOf(name: string, goal: ChangeGoal): Component {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const exact = COMPONENTS.find((c) => c === plain);
  if (exact !== undefined) return exact;
  if (plain.includes("driver")) return "gpu_driver";
  if (plain.includes("firmware"))
    return goal.component.endsWith("firmware") ? goal.component : plain.includes("bmc") ? "bmc_firmware" : "hca_firmware";
  return COMPONENTS.find((c) => plain.includes(c)) ?? goal.component;
}

/** What a rollback pass aims at: the saved version of the component the goal changes. */
export const savedVersionOf = (t: Target, goal: ChangeGoal): string | null =>
  t.rollback.find((c) => componentOf(c.name, goal) === goal.component)?.savedVersion ?? null;
