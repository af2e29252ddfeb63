import type { ClassId, LeafId } from "@/lib/core/kernel/ids";
import type { Role } from "@/lib/core/access/roles";
import type { NodeRole } from "@/lib/core/node/node-role";

/** attributes: one text of everything beyond the class (image, firmware, leaf count ...), to find the most common kind. leaves null: in no topology source. */
export type PlanNode = {
  readonly name: string;
  readonly role: NodeRole;
  readonly classId: ClassId;
  readonly gpus: number;
  readonly attributes: string;
  readonly partitions: readonly string[];
  readonly onGoal: boolean;
  readonly leaves: readonly { readonly id: LeafId; readonly fabric: string }[] | null;
};
export type LeafRule =
  | { readonly is: "applies"; readonly maxNodesPerLeaf: number }
  | { readonly is: "not_applicable"; readonly because: string }
  | { readonly is: "unit_is_the_switch" };
export type PlannerInput = {
  readonly nodes: readonly PlanNode[];
  readonly batchSize: number;
  readonly leafRule: LeafRule;
  readonly countsFabric: (fabric: string) => boolean;
  readonly canaries: { readonly perClass: number; readonly named: readonly string[] };
};
export type PlannedNode = { readonly name: string; readonly canary: boolean; readonly mode: "update" | "validate_only" };
export type NotPlanned = { readonly name: string; readonly because: "role" | "leaf_unknown"; readonly role: NodeRole };
/** acceptedBy: the finding closes plan approval until that person has accepted it; "nobody": nobody can, the plan must change. */
export type PlanFinding = {
  readonly code:
    | "size_reduced"
    | "no_leaf_rule"
    | "above_lower_bound"
    | "quarter_of_class"
    | "quarter_of_partition"
    | "rollback_untested"
    | "rollback_impossible"
    | "persistence_none"
    | "os_disk_lost"
    | "window_too_short"
    | "baseline_differs"
    | "group_check_missing"
    | "validation_missing"
    | "no_canary"
    | "budget_deadlock";
  readonly text: string;
  readonly acceptedBy: Role | "nobody";
};
export type PlannerOutput = {
  readonly batches: readonly (readonly PlannedNode[])[];
  readonly canaries: readonly string[];
  readonly notPlanned: readonly NotPlanned[];
  readonly size: { readonly asked: number; readonly used: number; readonly because: string | null };
  /** Both always said; equal when the leaf groups are disjoint. */ readonly lowerBound: number;
  readonly used: number;
  readonly disjoint: boolean;
  readonly findings: readonly PlanFinding[];
};
