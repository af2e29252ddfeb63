import { sortedByName } from "@/lib/core/kernel/natural-order";
import type { PlanNode } from "./planned";

/**
 * The canaries of each class (R5.4): those the plan names, else the first by name among the nodes of the class's most common kind.
 * Nodes that are still to be updated come first; a class with nothing to update has a validate-only canary.
 */
export function chooseCanaries(
  nodes: readonly PlanNode[],
  wanted: { readonly perClass: number; readonly named: readonly string[] },
): readonly string[] {
  const named = new Set(wanted.named);
  const classes = new Map<number, PlanNode[]>();
  for (const node of sortedByName(nodes, (n) => n.name)) {
    const members = classes.get(node.classId);
    if (members) members.push(node);
    else classes.set(node.classId, [node]);
  }
  return [...classes.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([, members]) => {
      const chosen = members.filter((node) => named.has(node.name));
      return chosen.length > 0 ? chosen : firstOfCommonKind(members, wanted.perClass);
    })
    .map((node) => node.name);
}

function firstOfCommonKind(members: readonly PlanNode[], count: number): readonly PlanNode[] {
  const toUpdate = members.filter((node) => !node.onGoal);
  const candidates = toUpdate.length > 0 ? toUpdate : members;
  const kinds = new Map<string, PlanNode[]>();
  for (const node of candidates) {
    const kind = kinds.get(node.attributes);
    if (kind) kind.push(node);
    else kinds.set(node.attributes, [node]);
  }
  // Sorting is stable: of two kinds equally common the one with the earlier name comes first, whatever order the nodes came in.
  const [common = []] = [...kinds.values()].sort((a, b) => b.length - a.length);
  const inCommon = new Set(common);
  return [...common, ...candidates.filter((node) => !inCommon.has(node))].slice(0, count);
}
