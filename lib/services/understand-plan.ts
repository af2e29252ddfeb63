import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import type { ProfileId } from "@/lib/core/change/gate-profiles";
import type { ChangePeople } from "@/lib/core/change/snapshot";
import type { ChangeGoal } from "@/lib/core/config-state/goal";
import type { PersonId, Sha256 } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { InventoryNode } from "@/lib/core/node/inventory-node";
import type { ServiceState } from "@/lib/core/node/service";
import { planFingerprintText, standingFingerprintText } from "@/lib/core/plan/fingerprint";
import { goalOf, profileOf } from "@/lib/core/plan/goal";
import type { Plan } from "@/lib/core/plan/plan";
import { readPlan } from "@/lib/core/plan/read-plan";
import { drainWaitOf } from "@/lib/core/planner/drain-wait";
import { previewPlan, type PlanPreview } from "@/lib/core/planner/preview";
import type { NodeView, PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";

/** A plan read, resolved against the inventory of now, and ready to become a revision. */
type UnderstoodPlan = {
  readonly plan: Plan;
  readonly preview: PlanPreview;
  readonly goal: ChangeGoal;
  readonly profile: ProfileId;
  readonly disposable: boolean;
  readonly people: ChangePeople;
  readonly fingerprint: Sha256;
  readonly standingFingerprint: Sha256;
};

/** `nodesPerLeaf`: what an approver has granted beyond the plan (R5.2); the plan and its fingerprint stay as written. */
export async function understandPlan(
  deps: Pick<Deps, "store" | "clock" | "hash">,
  yaml: string,
  nodesPerLeaf = 0,
): Promise<Result<UnderstoodPlan, Refusal>> {
  const read = readPlan(yaml);
  if (!read.ok) {
    const places = read.error.map((one) => `line ${one.line}, ${one.path === "" ? "the plan" : one.path}: ${one.text}`);
    return err(refusal("invalid", `The plan cannot be used: ${places.length === 1 ? "one fault" : `${places.length} faults`}.`, places));
  }
  const plan = read.value;
  const cluster = (await deps.store.clusters()).find((one) => one.id === plan.cluster);
  if (cluster === undefined)
    return err(
      refusal("invalid", `No cluster of the configuration is called "${plan.cluster}".`, [`cluster: "${plan.cluster}" is not configured`]),
    );
  const goal = goalOf(plan);
  const nodes = await deps.store.inventory(cluster.id);
  const onGoal = new Set(nodes.filter((node) => node.reported[goal.component]?.text === goal.text).map((node) => node.name));
  const classes = new Map(nodes.map((node) => [node.name, node.classLabel]));
  const drainWait = drainWaitOf(nodes, await deps.clock.now());
  const laidOut = { ...plan, maxNodesPerLeaf: Math.max(plan.maxNodesPerLeaf, nodesPerLeaf) };
  const preview = previewPlan({
    plan: laidOut,
    inventory: nodes.map(toInventoryNode),
    classes,
    onGoal,
    disposable: cluster.disposable,
    drainWait,
  });
  const people = peopleOf(plan, await deps.store.people());
  if (!people.ok) return people;
  const jobs = await namedJobs(deps, plan);
  const names = preview.layout.batches.flatMap((batch) => batch.nodes.map((node) => node.name));
  return ok({
    plan,
    preview,
    goal,
    profile: profileOf(plan, cluster.disposable),
    disposable: cluster.disposable,
    people: people.value,
    fingerprint: deps.hash.text(planFingerprintText(plan, names, jobs)),
    standingFingerprint: deps.hash.text(standingFingerprintText(plan, names, jobs)),
  });
}

/** Versions of jobs that the plan names and that are published; one that is not is seen at the gate of the acceptance job. */
async function namedJobs(deps: Pick<Deps, "store">, plan: Plan): Promise<readonly AcceptanceJobSpec[]> {
  const published = await deps.store.acceptanceJobs();
  return plan.acceptance.flatMap((wanted) =>
    published.filter(({ spec }) => spec.name === wanted.job && spec.version === wanted.version).map(({ spec }) => spec),
  );
}

/** The scheduler's word for a node in service: one with a job on it is not idle, whatever the word is. */
function inServiceState(node: NodeView): InventoryNode["state"] {
  const words = (node.serviceWords ?? []).map((word) => word.toUpperCase());
  if (words.includes("MIXED")) return "mixed";
  return words.includes("ALLOCATED") || words.includes("COMPLETING") || node.jobs.length > 0 ? "allocated" : "idle";
}

const STATE: Record<Exclude<ServiceState, "in_service">, InventoryNode["state"]> = {
  draining: "draining",
  drained: "drained",
  down: "down",
  powered_down: "powered-down",
  absent: "unknown",
  unknown: "unknown",
};

function toInventoryNode(node: NodeView): InventoryNode {
  return {
    name: node.name,
    role: node.role as InventoryNode["role"],
    partitions: [...node.partitions],
    ...(node.leaves === null ? {} : { leaves: [...node.leaves] }),
    ...(node.scaleSet === null ? {} : { scaleSet: node.scaleSet }),
    ...node.facts,
    managedBy: "slurm",
    state: node.service === "in_service" ? inServiceState(node) : STATE[node.service],
    ...(node.serviceReason === null ? {} : { reason: node.serviceReason }),
  };
}

/** People are named in the plan by their id or their e-mail; a name that nobody has is a fault, because a gate would wait for it for ever. */
function peopleOf(plan: Plan, known: readonly PersonView[]): Result<ChangePeople, Refusal> {
  const missing: string[] = [];
  const find = (name: string): PersonId[] => {
    const person = known.find((one) => one.id === name || one.email === name);
    if (person === undefined) missing.push(name);
    return person === undefined ? [] : [person.id];
  };
  const { operator, workloadOwner, approver, secondEngineer, decisionOwner } = plan.people;
  const people: ChangePeople = {
    operator: operator.flatMap(find),
    workloadOwner: workloadOwner.flatMap(find),
    approver: approver.flatMap(find),
    secondEngineer: secondEngineer.flatMap(find),
    decisionOwner: decisionOwner === null ? null : (find(decisionOwner)[0] ?? null),
  };
  if (missing.length === 0) return ok(people);
  return err(
    refusal(
      "invalid",
      `The plan names people nobody knows: ${missing.join(", ")}.`,
      missing.map((name) => `people: "${name}" is neither the id nor the e-mail of a person`),
    ),
  );
}
