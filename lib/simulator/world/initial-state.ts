import { uuidFrom } from "./chance";
import type { ClusterDescription, WorldDescription } from "./description";
import { openDraft } from "./draft";
import { expandHosts } from "./hostlist";
import { newJob } from "./job-transitions";
import type { NodeState, WorldState } from "./state";

/** The data centre as it stands when it is first switched on: nodes booted some days ago, initial jobs running. */
export function initialState(description: WorldDescription, now: number, seed: string): WorldState {
  const nodes = description.clusters.flatMap((cluster) => cluster.nodes.flatMap((_, group) => nodesOfGroup(cluster, group, now, seed)));
  const draft = openDraft(
    {
      description,
      seed,
      nodes: Object.fromEntries(nodes.map((node) => [`${node.cluster}/${node.name}`, node])),
      jobs: {},
      reservations: {},
      nextJobId: Object.fromEntries(description.clusters.map((cluster) => [cluster.name, 1001])),
      faults: [],
      nextFaultId: 1,
    },
    now,
  );
  for (const cluster of description.clusters) {
    for (const job of cluster.jobs) {
      const names = expandHosts(job.nodes) ?? [];
      const created = newJob(draft, cluster.name, {
        name: job.name,
        user: job.user,
        required: names,
        nodeCount: names.length,
        limitS: job.limitMinutes === null ? null : job.limitMinutes * 60,
        runS: job.leftMinutes === null ? null : job.leftMinutes * 60,
      });
      draft.putJob({ ...created, state: "RUNNING", nodes: names, startAt: now });
    }
  }
  return draft.state;
}

/** A node as its group describes it; also how a node that appears later begins. */
export function newNode(
  cluster: ClusterDescription,
  group: ClusterDescription["nodes"][number],
  at: { name: string; now: number; seed: string },
): NodeState {
  const versions = (version: string) => ({ running: version, installed: version });
  const leaf = cluster.leaves.findIndex((l) => expandHosts(l.nodes)?.includes(at.name));
  const out = cluster.unavailable.find((u) => expandHosts(u.nodes)?.includes(at.name));
  return {
    cluster: cluster.name,
    name: at.name,
    hardware: group.hardware,
    features: leaf < 0 ? group.features : [...group.features, `ib_leaf_${String(leaf + 1).padStart(2, "0")}`],
    drained: out?.state === "drain",
    down: out?.state === "down",
    reason: out === undefined ? null : { text: out.reason, user: out.user, at: at.now - 86_400 },
    respondsAt: 0,
    power: out?.state === "down" ? { on: false, since: at.now - 86_400, backAt: null, rebooting: false } : { on: true },
    rebootOrder: null,
    boots: 1,
    bootId: uuidFrom(`${at.seed}/${cluster.name}/${at.name}/1`),
    bootedAt: at.now - 9 * 86_400,
    slurmdStartedAt: at.now - 9 * 86_400 + 40,
    lastBusyAt: at.now - 3600,
    versions: { driver: versions(group.driver), kernel: versions(group.kernel), firmware: versions(group.firmware) },
    update: null,
  };
}

function nodesOfGroup(cluster: ClusterDescription, index: number, now: number, seed: string): NodeState[] {
  const group = cluster.nodes[index];
  if (group === undefined) return [];
  return (expandHosts(group.names) ?? []).map((name) => newNode(cluster, group, { name, now, seed }));
}
