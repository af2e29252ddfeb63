import type { ChangeGoal } from "./goal";
import type { ConfigField } from "./observation";

/** What the cluster has: a source that is read for its definition, and scale sets. */
export type ConfigSite = { readonly definitionSource: boolean; readonly scaleSet: boolean };

/** Why a layer says nothing about this change and this node (R1.6); null: it applies and must be read. Missing data is never a reason. */
export function notApplicable(field: ConfigField, goal: ChangeGoal, site: ConfigSite): string | null {
  if (field === "host_report") return null;
  if (field !== "cluster_definition" && !site.scaleSet) return "this node belongs to no scale set";
  if (goal.persistence.kind === "in_the_device") return "the firmware lives in the device: a rebuilt node keeps it";
  if (goal.component === "image") return !site.definitionSource && field === "cluster_definition" ? NO_SOURCE : null;
  if (field === "instance_model") return `an instance's model does not name its ${goal.component.replace(/_/g, " ")}`;
  if (goal.persistence.kind === "none") return "nothing gives a rebuilt node this version: it returns to the old one";
  if (!site.definitionSource && "observe" in goal.persistence && goal.persistence.observe.trim() === "")
    return `${NO_SOURCE}; the plan names no place to read its ${goal.persistence.kind} from`;
  // The plan named a place to read. Whether it was read or not, the layer stays asked for.
  if (field === "cluster_definition") return null;
  return `the scale-set model does not name its ${goal.component.replace(/_/g, " ")}`;
}

const NO_SOURCE = "this cluster has no cluster definition source configured";
