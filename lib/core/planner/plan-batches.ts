import type { ClassId } from "@/lib/core/kernel/ids";
import { sortedByName } from "@/lib/core/kernel/natural-order";
import { err, ok } from "@/lib/core/kernel/result";
import type { Result } from "@/lib/core/kernel/result";
import { leafGroups } from "@/lib/core/topology/leaf-groups";
import { chooseCanaries } from "./canaries";
import { boundOf, deal } from "./deal";
import { overlappingBound, placeOverlapping } from "./overlapping";
import type { LeafRule, NotPlanned, PlanFinding, PlanNode, PlannedNode, PlannerInput, PlannerOutput } from "./planned";
import { reachableSize } from "./reachable-size";
import type { Seat, Sizes } from "./seat";

export type PlannerRefusal = {
  readonly code: "topology_required" | "nothing_to_plan";
  readonly because: string;
  readonly notPlanned: readonly NotPlanned[];
};

/**
 * Who is out of service together (R5): every planned node once, at most `batchSize` a batch and `maxNodesPerLeaf` of any counting leaf, in as few
 * batches as that allows, canaries first. The same nodes in any order give the same answer.
 */
export function planBatches(input: PlannerInput): Result<PlannerOutput, PlannerRefusal> {
  const compute = input.nodes.filter((node) => node.role === "compute");
  const notPlanned = leftOut(input);
  const out = new Set(notPlanned.map((node) => node.name));
  const nodes = sortedByName(
    compute.filter((node) => !out.has(node.name)),
    (node) => node.name,
  );
  if (input.leafRule.is === "applies" && compute.length > 0 && compute.every((node) => node.leaves === null)) {
    return err({
      code: "topology_required",
      because: "No topology source says on which leaf any node hangs, and the plan keeps the leaf rule.",
      notPlanned,
    });
  }
  if (nodes.length === 0) {
    return err({ code: "nothing_to_plan", because: "No compute node with a known leaf is left to plan.", notPlanned });
  }
  const seats = nodes.map((node, order) => seatOf(node, order, input));
  const reached = reachableSize(seats, input.batchSize, input.leafRule);
  const sizes: Sizes = {
    size: reached.used,
    perLeaf: input.leafRule.is === "applies" ? input.leafRule.maxNodesPerLeaf : Number.MAX_SAFE_INTEGER,
  };
  const { batches, lowerBound, disjoint } = split(seats, sizes);
  const canaries = chooseCanaries(nodes, input.canaries);
  const ordered = canariesFirst(batches, canaries, new Map(nodes.map((node) => [node.name, node])));
  return ok({
    batches: ordered,
    canaries: ordered.flatMap((batch) => batch.filter((node) => node.canary).map((node) => node.name)),
    notPlanned,
    size: { asked: input.batchSize, used: reached.used, because: reached.because },
    lowerBound,
    used: ordered.length,
    disjoint,
    findings: findingsOf(input.leafRule, reached, ordered.length, lowerBound),
  });
}

function leftOut(input: PlannerInput): readonly NotPlanned[] {
  const known = (node: PlanNode): boolean => (node.leaves ?? []).some((leaf) => input.countsFabric(leaf.fabric));
  return sortedByName(input.nodes, (node) => node.name).flatMap((node): readonly NotPlanned[] => {
    if (node.role !== "compute") return [{ name: node.name, because: "role", role: node.role }];
    return input.leafRule.is === "applies" && !known(node) ? [{ name: node.name, because: "leaf_unknown", role: node.role }] : [];
  });
}

function seatOf(node: PlanNode, order: number, input: PlannerInput): Seat {
  const counting = input.leafRule.is === "applies" ? (node.leaves ?? []).filter((leaf) => input.countsFabric(leaf.fabric)) : [];
  return { name: node.name, order, classId: node.classId, leaves: counting.map((leaf) => leaf.id) };
}

type Split = { readonly batches: readonly (readonly Seat[])[]; readonly lowerBound: number; readonly disjoint: boolean };

/** Each class by itself where that costs no batch, otherwise all together in class order. */
function split(seats: readonly Seat[], sizes: Sizes): Split {
  const { disjoint } = leafGroups(seats.filter((seat) => seat.leaves.length > 0));
  const spread = disjoint ? deal : placeOverlapping;
  const together = spread(seats, sizes);
  const apart = classesOf(seats).flatMap((members) => spread(members, sizes));
  return {
    batches: apart.length <= together.length ? apart : together,
    lowerBound: disjoint ? boundOf(seats, sizes) : overlappingBound(seats, sizes),
    disjoint,
  };
}

function classesOf(seats: readonly Seat[]): readonly (readonly Seat[])[] {
  const classes = new Map<ClassId, Seat[]>();
  for (const seat of seats) {
    const members = classes.get(seat.classId);
    if (members) members.push(seat);
    else classes.set(seat.classId, [seat]);
  }
  return [...classes].sort(([a], [b]) => a - b).map(([, members]) => members);
}

/** Batches that hold a canary are numbered first, and it is their first member; it adds no batch (R5.4). */
function canariesFirst(
  batches: readonly (readonly Seat[])[],
  canaries: readonly string[],
  nodes: ReadonlyMap<string, PlanNode>,
): readonly (readonly PlannedNode[])[] {
  const chosen = new Set(canaries);
  const planned = batches.map((batch) =>
    [...batch]
      .sort((a, b) => Number(chosen.has(b.name)) - Number(chosen.has(a.name)) || a.order - b.order)
      .map(({ name }): PlannedNode => ({ name, canary: chosen.has(name), mode: nodes.get(name)?.onGoal ? "validate_only" : "update" })),
  );
  const [first, rest] = [planned.filter((batch) => batch[0]?.canary), planned.filter((batch) => !batch[0]?.canary)];
  return [...first, ...rest];
}

function findingsOf(
  rule: LeafRule,
  reached: { readonly used: number; readonly because: string | null },
  used: number,
  lowerBound: number,
): readonly PlanFinding[] {
  const findings: PlanFinding[] = [];
  if (reached.because !== null && rule.is !== "unit_is_the_switch") {
    findings.push({ code: "size_reduced", text: `The batch size is ${reached.used}: ${reached.because}.`, acceptedBy: "approver" });
  }
  if (rule.is === "not_applicable") {
    findings.push({ code: "no_leaf_rule", text: `Nodes of one leaf may be out together: ${rule.because}`, acceptedBy: "approver" });
  }
  if (used > lowerBound) {
    findings.push({
      code: "above_lower_bound",
      text: `${used} batches, where ${lowerBound} might be enough: the leaves of different nodes overlap.`,
      acceptedBy: "approver",
    });
  }
  return findings;
}
