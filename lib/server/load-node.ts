import { notFound } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { STEP_TRAITS } from "@/lib/core/change/step";
import { driftOf } from "@/lib/core/node/drift";
import { showChange } from "@/lib/services/show-change";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** One node: who it is, what every layer and the scheduler last said of it, and what was done to it. */
export async function loadNode(clusterId: string, called: string) {
  await requirePerson(paths.node(clusterId, called));
  const { deps } = await wired();
  const nodes = await deps.store.inventory(clusterId);
  const node = nodes.find(({ name }) => name === called) ?? notFound();
  const [record, people, open, now, shown] = await Promise.all([
    deps.store.nodeRecord(node.subjectId),
    deps.store.people(),
    deps.store.listChanges({ clusterId, open: true, limit: 500 }),
    deps.clock.now(),
    node.changeId === null ? null : showChange(deps, node.changeId),
  ]);
  const goals = new Map(open.map(({ id, goalText }) => [id as string, goalText]));
  const nameOf = (id: string | null): string | null => (id === null ? null : (people.find((one) => one.id === id)?.name ?? id));
  const view = shown?.ok === true ? shown.value : null;
  return {
    clusterId,
    node,
    layers: record.layers,
    history: record.changes.map(({ step, investigatorId, ...change }) => ({
      ...change,
      outcome: STEP_TRAITS[step].outcome,
      investigator: nameOf(investigatorId),
    })),
    checks: (view?.checks ?? []).filter(({ on }) => on === called),
    evidence: node.changeId === null ? {} : Object.fromEntries(await deps.store.checkEvidence(node.changeId)),
    next: view?.headline.next ?? null,
    differs: driftOf(nodes.map((one) => ({ ...one, wanted: goals.get(one.changeId ?? "") ?? null }))).get(called) ?? [],
    now,
  };
}
