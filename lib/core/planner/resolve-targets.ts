import { expandHostlist } from "@/lib/core/kernel/hostlist";
import { sortedByName } from "@/lib/core/kernel/natural-order";
import type { ClassId, LeafId } from "@/lib/core/kernel/ids";
import type { InventoryNode } from "@/lib/core/node/inventory-node";
import type { Plan } from "@/lib/core/plan/plan";
import type { PlanNode } from "./planned";

/** A unit that the plan changes: a node, or a switch with the nodes behind it. */
export type Unit = PlanNode & { readonly class: string; readonly leafNames: readonly string[]; readonly behind: readonly InventoryNode[] };
type ResolveContext = {
  /** Class label of every compute node. */
  readonly classes: ReadonlyMap<string, string>;
  /** Nodes that were read to be on the target version already (R5.7). */
  readonly onGoal: ReadonlySet<string>;
};

/** Who the plan names, as the planner needs them, and which of its names nobody knows. */
export function resolveTargets(
  plan: Plan,
  inventory: readonly InventoryNode[],
  context: ResolveContext,
): { readonly units: readonly Unit[]; readonly unknown: readonly string[] } {
  if (plan.type === "ib_switch_firmware") return resolveSwitches(plan, inventory);
  const byName = new Map(inventory.map((node) => [node.name, node]));
  const ids = idsOf(inventory, context.classes);
  const named = namesOf(plan);
  // Where any node has leaves there is a topology source; one that it leaves out has no known leaf, which is something else (R5.6).
  const hasTopology = inventory.some((node) => node.leaves !== undefined);
  const nodes =
    named === null ? inventory.filter((node) => isSelected(plan, node, context)) : named.flatMap((name) => byName.get(name) ?? []);
  return {
    units: nodes.map((node) => nodeUnit(node.leaves === undefined && hasTopology ? { ...node, leaves: [] } : node, context, ids)),
    unknown: (named ?? []).filter((name) => !byName.has(name)),
  };
}

/** The names of a host list in the plan; null where it selects instead. The reader has refused lists that do not expand. */
function namesOf(plan: Plan): readonly string[] | null {
  if (plan.target.nodes === null) return null;
  const names = expandHostlist(plan.target.nodes);
  return names.ok ? names.value : [];
}

function isSelected(plan: Plan, node: InventoryNode, context: ResolveContext): boolean {
  const selector = plan.target.selector;
  if (selector === null) return false;
  return (
    (selector.partition === undefined || (node.partitions ?? []).includes(selector.partition)) &&
    (selector.class === undefined || context.classes.get(node.name) === selector.class) &&
    (selector.scaleSet === undefined || node.scaleSet === selector.scaleSet)
  );
}

type Ids = { readonly classes: ReadonlyMap<string, ClassId>; readonly leaves: ReadonlyMap<string, LeafId> };

/** Numbers in the order in which the nodes' names show classes and leaves, so that they do not depend on the order of the inventory. */
function idsOf(unordered: readonly InventoryNode[], classes: ReadonlyMap<string, string>): Ids {
  const inventory = sortedByName(unordered, (node) => node.name);
  const numbered = <I extends number>(texts: Iterable<string>): ReadonlyMap<string, I> =>
    new Map([...new Set(texts)].map((text, i) => [text, (i + 1) as I]));
  return {
    classes: numbered(inventory.flatMap((node) => classes.get(node.name) ?? [])),
    leaves: numbered(inventory.flatMap((node) => (node.leaves ?? []).map(leafKey))),
  };
}

const leafKey = (leaf: { readonly name: string; readonly fabric: string }): string => `${leaf.fabric}/${leaf.name}`;

function nodeUnit(node: InventoryNode, context: ResolveContext, ids: Ids): Unit {
  const label = context.classes.get(node.name) ?? "";
  return {
    name: node.name,
    role: node.role,
    classId: ids.classes.get(label) ?? (0 as ClassId),
    class: label,
    gpus: node.accelerator?.count ?? 0,
    attributes: [node.scaleSet ?? "", node.leaves?.length ?? "", [...(node.partitions ?? [])].sort().join(",")].join("|"),
    partitions: node.partitions ?? [],
    onGoal: context.onGoal.has(node.name),
    leaves: node.leaves ? node.leaves.map((leaf) => ({ id: ids.leaves.get(leafKey(leaf)) ?? (0 as LeafId), fabric: leaf.fabric })) : null,
    leafNames: (node.leaves ?? []).map((leaf) => leaf.name),
    behind: [node],
  };
}

/** Switches by the names under which nodes hang on them; each carries the GPUs of the nodes behind it (R10.1). */
function resolveSwitches(
  plan: Plan,
  inventory: readonly InventoryNode[],
): { readonly units: readonly Unit[]; readonly unknown: readonly string[] } {
  const behind = new Map<string, InventoryNode[]>();
  for (const node of inventory) for (const leaf of node.leaves ?? []) behind.set(leaf.name, [...(behind.get(leaf.name) ?? []), node]);
  const named = namesOf(plan) ?? [];
  const units = named.flatMap((name): readonly Unit[] => {
    const nodes = behind.get(name);
    if (nodes === undefined) return [];
    const gpus = nodes.reduce((sum, node) => sum + (node.accelerator?.count ?? 0), 0);
    const shared = {
      role: "compute",
      classId: 1 as ClassId,
      class: "switch",
      attributes: "",
      partitions: [],
      onGoal: false,
      leaves: [],
      leafNames: [],
    } as const;
    return [{ ...shared, name, gpus, behind: nodes.filter((node) => node.role === "compute") }];
  });
  return { units, unknown: named.filter((name) => !behind.has(name)) };
}
