import { foldHostlist } from "@/lib/core/kernel/hostlist";
import { sortedByName } from "@/lib/core/kernel/natural-order";
import { classOf, labelClasses } from "@/lib/core/node/node-class";
import type { InventoryNode } from "@/lib/core/node/inventory-node";
import type { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import { workAndTotal } from "@/lib/core/plan/duration";
import { maintenanceType } from "@/lib/core/plan/maintenance-types";
import type { Minutes } from "@/lib/core/plan/maintenance-types";
import type { Plan } from "@/lib/core/plan/plan";
import { procedureOf } from "@/lib/core/plan/procedure";
import type { Stage } from "@/lib/core/plan/procedure";
import type { PlanLayout } from "./layout";
import { planBatches } from "./plan-batches";
import type { PlannerRefusal } from "./plan-batches";
import type { LeafRule, NotPlanned, PlanFinding, PlannerOutput } from "./planned";
import { planFindings, previewWindows, quarterFindings, windowFinding } from "./preview-findings";
import type { PreviewWindow } from "./preview-findings";
import { resolveTargets } from "./resolve-targets";
import type { Unit } from "./resolve-targets";

type PreviewInput = {
  readonly plan: Plan;
  /** Every node of the cluster, each name once. */
  readonly inventory: readonly InventoryNode[];
  /** Class labels by node where the record knows better than the facts (a split, a merge); left out: computed. */
  readonly classes?: ReadonlyMap<string, string>;
  /** Nodes read to be on the target already: validated only (R5.7). */
  readonly onGoal?: ReadonlySet<string>;
  /** Whether the cluster is marked disposable; left out: not known here. */
  readonly disposable?: boolean;
  /** Longest wait for the jobs that run on these nodes, from their limits; null: nobody can tell. Left out: only whether any runs is known. */
  readonly drainWait?: (nodes: readonly string[]) => number | null;
};

/** What a person sees before anything runs (R5.8). All minutes; `percentOut` is of the inventory's compute nodes. */
export type PlanPreview = {
  readonly layout: PlanLayout;
  readonly batches: readonly {
    readonly index: number;
    readonly nodes: readonly {
      readonly name: string;
      readonly canary: boolean;
      readonly class: string;
      readonly leaves: readonly string[];
    }[];
    readonly gpusOut: number;
    readonly percentOut: number;
  }[];
  readonly canaries: readonly string[];
  readonly durations: {
    readonly preflight: Minutes;
    readonly canaries: Minutes;
    readonly batchWork: Minutes;
    readonly delaysMinutes: number;
    readonly drainWaitMinutes: number | null;
    readonly fabricAndSpot: Minutes;
    readonly total: Minutes;
  };
  readonly windows: readonly PreviewWindow[];
  /** What is done to each target, in order; `{node}` in a command is its name. */
  readonly procedure: readonly Stage[];
  /** Planned nodes that are out for another reason now: they will be withheld or found not running, and keep their reason. */
  readonly outOfService: readonly { readonly name: string; readonly state: InventoryNode["state"]; readonly reason: string | null }[];
};

const PREFLIGHT: Minutes = { minMinutes: 5, maxMinutes: 10 };
const NONE: Minutes = { minMinutes: 0, maxMinutes: 0 };
const COUNTING_FABRIC = "compute";

/** The plan against the inventory. Pure: the same input in any order gives the same preview. */
export function previewPlan(input: PreviewInput): PlanPreview {
  const { plan, inventory } = input;
  const classes = input.classes ?? computeClasses(inventory);
  const compute = inventory.filter((node) => node.role === "compute");
  const { units, unknown } = resolveTargets(plan, inventory, { classes, onGoal: input.onGoal ?? new Set() });
  const planned = planBatches({
    nodes: units,
    batchSize: plan.batchSize,
    leafRule: leafRuleOf(plan),
    countsFabric: (fabric) => fabric === COUNTING_FABRIC,
    canaries: { perClass: plan.canaries.perClass, named: plan.canaries.nodes },
  });
  const known = new Map(units.map((unit) => [unit.name, unit]));
  const output = planned.ok ? planned.value : null;
  const batches = (output?.batches ?? []).map((batch) => batch.flatMap((node) => ({ node, unit: known.get(node.name) })));
  const layout: PlanLayout = {
    batches: batches.map((batch, i) => ({
      index: i + 1,
      nodes: batch.map(({ node, unit }) => ({
        name: node.name,
        canary: node.canary,
        mode: node.mode,
        class: unit?.class ?? "",
        leaves: [...(unit?.leafNames ?? [])],
        gpus: unit?.gpus ?? 0,
        rollback: worstRollback(plan),
      })),
    })),
    notPlanned: (planned.ok ? planned.value.notPlanned : planned.error.notPlanned).map((node) => ({
      name: node.name,
      because: whyLeftOut(node),
    })),
    batchSize: { asked: plan.batchSize, used: output?.size.used ?? plan.batchSize, because: output?.size.because ?? null },
    lowerBound: output?.lowerBound ?? 0,
    findings: [...findingsOf(plan, output, compute, classes)],
    conflicts: [...conflictsOf(input, units, unknown, planned.ok ? null : planned.error)],
  };
  const atWork = layout.batches.flatMap((batch) => batch.nodes.flatMap((node) => known.get(node.name)?.behind ?? []));
  return {
    layout,
    batches: layout.batches.map((batch) => ({
      index: batch.index,
      nodes: batch.nodes.map(({ name, canary, class: label, leaves }) => ({ name, canary, class: label, leaves })),
      gpusOut: batch.nodes.reduce((sum, node) => sum + node.gpus, 0),
      percentOut: percentOf(
        batch.nodes.reduce((sum, node) => sum + (known.get(node.name)?.behind.length ?? 0), 0),
        compute.length,
      ),
    })),
    canaries: output?.canaries ?? [],
    durations: durationsOf(input, layout.batches.length, (output?.canaries.length ?? 0) > 0, atWork),
    windows: previewWindows(plan, layout.batches.length),
    procedure: procedureOf(plan),
    outOfService: outOf(atWork),
  };
}

function computeClasses(inventory: readonly InventoryNode[]): ReadonlyMap<string, string> {
  const facts = new Map(inventory.flatMap((node) => (node.role === "compute" ? [[node.name, factsOf(node)] as const] : [])));
  const labels = labelClasses([...facts.values()]);
  return new Map([...facts].map(([name, one]) => [name, labels.get(classOf(one)) ?? ""]));
}

const factsOf = (node: InventoryNode): NodeClassFacts => ({
  serverModel: node.serverModel ?? "unknown",
  accelerator: node.accelerator ?? { model: "none", count: 0 },
  hca: node.hca ?? { model: "none", count: 0 },
  environment: node.environment ?? "unknown",
});

function leafRuleOf(plan: Plan): LeafRule {
  if (plan.type === "ib_switch_firmware") return { is: "unit_is_the_switch" };
  return plan.leafRule.apply
    ? { is: "applies", maxNodesPerLeaf: plan.maxNodesPerLeaf }
    : { is: "not_applicable", because: plan.leafRule.because };
}

/** A node goes back only if every component may; no component named is no tested way back. */
function worstRollback(plan: Plan): "tested" | "untested" | "impossible" {
  const words = plan.rollback.map((part) => part.capability);
  if (words.includes("impossible")) return "impossible";
  return words.length > 0 && words.every((word) => word === "tested") ? "tested" : "untested";
}

const whyLeftOut = (node: NotPlanned): string =>
  node.because === "role"
    ? `role ${node.role}: only compute nodes are planned`
    : "leaf unknown: no topology source places it on a compute leaf";

function findingsOf(
  plan: Plan,
  output: PlannerOutput | null,
  compute: readonly InventoryNode[],
  classes: ReadonlyMap<string, string>,
): readonly PlanFinding[] {
  const batches = (output?.batches ?? []).map((batch) => batch.map((node) => node.name));
  return [
    ...(output?.findings ?? []),
    ...quarterFindings(batches, compute, classes),
    ...planFindings(plan),
    ...windowFinding(plan, batches.length),
  ];
}

function conflictsOf(
  input: PreviewInput,
  units: readonly Unit[],
  unknown: readonly string[],
  refusal: PlannerRefusal | null,
): PlanLayout["conflicts"] {
  const { plan } = input;
  const conflicts: PlanLayout["conflicts"] = [];
  if (unknown.length > 0) conflicts.push({ code: "unknown_nodes", text: `The inventory has no ${clip(foldHostlist(unknown))}.` });
  const foreign = units.flatMap((unit) => unit.behind.filter((node) => node.managedBy !== "slurm"));
  if (foreign.length > 0) {
    const managers = [...new Set(foreign.map((node) => node.managedBy))].sort().join(", ");
    conflicts.push({
      code: "other_manager",
      text: `${clip(foldHostlist(foreign.map((node) => node.name)))} belongs to ${managers}, which this version cannot drain.`,
    });
  }
  const left = new Set(units.map((unit) => unit.name));
  const strangers = plan.canaries.nodes.filter((name) => !left.has(name));
  if (strangers.length > 0)
    conflicts.push({ code: "canary_not_planned", text: `${strangers.join(", ")} is named as canary and is not among the plan's nodes.` });
  if (plan.canaries.perClass === 0 && input.disposable === false) {
    conflicts.push({ code: "canary_required", text: "canaries: 0 is for rehearsals; this cluster is not disposable." });
  }
  if (refusal !== null) conflicts.push({ code: refusal.code, text: refusal.because });
  return conflicts;
}

function durationsOf(input: PreviewInput, batches: number, hasCanary: boolean, atWork: readonly InventoryNode[]): PlanPreview["durations"] {
  const type = maintenanceType(input.plan.type);
  const { work, delaysMinutes, total } = workAndTotal(batches, type.minutes, input.plan.interBatchDelayMs);
  const isBusy = atWork.some((node) => ["allocated", "mixed", "draining", "unknown"].includes(node.state));
  const fabric = type.fabricValidation ?? NONE;
  return {
    preflight: PREFLIGHT,
    canaries: hasCanary ? type.minutes : NONE,
    batchWork: work,
    delaysMinutes,
    drainWaitMinutes: input.drainWait !== undefined ? input.drainWait(atWork.map((node) => node.name)) : isBusy ? null : 0,
    fabricAndSpot: {
      minMinutes: fabric.minMinutes + type.spotValidation.minMinutes,
      maxMinutes: fabric.maxMinutes + type.spotValidation.maxMinutes,
    },
    total,
  };
}

function outOf(nodes: readonly InventoryNode[]): PlanPreview["outOfService"] {
  const out = nodes.filter((node) => ["draining", "drained", "down", "powered-down", "unknown"].includes(node.state));
  return sortedByName(out, (node) => node.name).map((node) => ({ name: node.name, state: node.state, reason: node.reason ?? null }));
}

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
const clip = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
