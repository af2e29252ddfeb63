import type { ChangeId, ClassId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { NewCheck } from "./new-check";
import { checkId, type ListedCheck } from "./write-checks";

/** A node that may be taken for the validation after the last batch: an accepted one. */
export type SampledNode = {
  readonly id: TargetId;
  readonly subjectId: SubjectId;
  readonly name: string;
  readonly classId: ClassId;
  readonly gpus: number;
};

const FABRIC_GPUS = 128,
  SPOT_SHARE = 10;

/** 128 GPUs of one class, or all it has (R11.5): the class with most GPUs (ties: the lower id), its nodes by name. Deterministic. */
export function fabricNodes(nodes: readonly SampledNode[]): readonly SampledNode[] {
  const classes = [...new Set(nodes.map((n) => n.classId))].map((id) => nodes.filter((n) => n.classId === id));
  const [most] = classes.sort((a, b) => gpusOf(b) - gpusOf(a) || (a[0]?.classId ?? 0) - (b[0]?.classId ?? 0));
  const chosen: SampledNode[] = [];
  for (const node of sorted(most ?? [])) {
    if (gpusOf(chosen) >= FABRIC_GPUS) break;
    chosen.push(node);
  }
  return chosen;
}

/**
 * At least 10 % of `total` nodes, rounded up, with every class (R11.5): one of each class first, then the classes in turn, spread evenly over each
 * class's names. Deterministic.
 */
export function spotNodes(nodes: readonly SampledNode[], total: number): readonly SampledNode[] {
  const classIds = [...new Set(nodes.map((n) => n.classId))].sort((a, b) => a - b);
  const wanted = Math.min(nodes.length, Math.max(classIds.length, Math.ceil((total * SPOT_SHARE) / 100)));
  const queues = classIds.map((id) => spread(sorted(nodes.filter((n) => n.classId === id)), wanted));
  const chosen: SampledNode[] = [];
  for (let round = 0; chosen.length < wanted; round += 1) {
    for (const queue of queues) {
      const node = queue[round];
      if (node !== undefined && chosen.length < wanted) chosen.push(node);
    }
  }
  return sorted(chosen);
}

const gpusOf = (nodes: readonly SampledNode[]): number => nodes.reduce((sum, n) => sum + n.gpus, 0);

const sorted = (nodes: readonly SampledNode[]): readonly SampledNode[] =>
  [...nodes].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Evenly spaced ones first, then the rest, so that a small sample does not sit in one rack. */
function spread(nodes: readonly SampledNode[], wanted: number): readonly SampledNode[] {
  const step = Math.max(1, Math.floor(nodes.length / Math.max(1, wanted)));
  const first = nodes.filter((_, i) => i % step === 0);
  return [...first, ...nodes.filter((_, i) => i % step !== 0)];
}

type ValidationInput = {
  readonly changeId: ChangeId;
  readonly gate: "fabric_validation" | "spot_validation";
  readonly validate: readonly ListedCheck[];
  /** Accepted nodes of the change. */ readonly nodes: readonly SampledNode[];
  /** Nodes of the change, for the 10 % of a spot validation. */ readonly total: number;
  readonly generation: number;
};

/**
 * The rows of fabric or spot validation: the plan's own `change`-scoped commands for that gate, on the nodes R11.5 selects. Fabric: one row over
 * all of them. Spot: one row per sampled node.
 */
export function validationChecks(input: ValidationInput): readonly NewCheck[] {
  const listed = input.validate.filter((v) => v.scope === "change" && v.gate === input.gate);
  if (input.gate === "spot_validation") {
    const sample = spotNodes(input.nodes, input.total);
    return listed.flatMap((one) => sample.map((node) => validationCheck(input, one, [node], node)));
  }
  const nodes = fabricNodes(input.nodes);
  return nodes.length === 0 ? [] : listed.map((one) => validationCheck(input, one, nodes, null));
}

function validationCheck(input: ValidationInput, listed: ListedCheck, nodes: readonly SampledNode[], one: SampledNode | null): NewCheck {
  const { run, on, parser, expect, baseline, groupSize, timeoutMs } = listed;
  return {
    id: checkId(input.changeId, input.gate, one?.id ?? "change", input.generation, listed.name),
    gate: input.gate,
    scope: "change",
    targetId: one?.id ?? null,
    classId: null,
    batch: null,
    generation: input.generation,
    name: listed.name,
    spec: { kind: "command", run, on, parser, expect, baseline, groupSize, timeoutMs, gpus: one?.gpus ?? fabricGpus(listed, nodes) },
    waivable: true,
    settlesAt: null,
    dueAt: null,
    notApplicableBecause: null,
    members: nodes.map((n) => ({ subjectId: n.subjectId, part: "member" as const })),
  };
}

/** How many GPUs must take part: all of those nodes (R11.5). Only a collective test counts over nodes; any other tool speaks of its own. */
const fabricGpus = ({ parser }: ListedCheck, nodes: readonly SampledNode[]): number | null =>
  parser === "nccl-tests" ? gpusOf(nodes) : null;
