/** One cluster at one moment, as Slurm's programs would read it. */
import { releaseOf, type ClusterDescription } from "@/lib/simulator/world/description";
import { expandHosts } from "@/lib/simulator/world/hostlist";
import { jobsOf, nodesOf, reservationsOf, type JobState, type Reservation, type WorldState } from "@/lib/simulator/world/state";

import { viewNode, type NodeView } from "./node-view";

export type SiteView = {
  readonly cluster: ClusterDescription;
  readonly release: string;
  readonly now: number;
  readonly nodes: readonly NodeView[];
  readonly jobs: readonly JobState[];
  readonly reservations: readonly Reservation[];
};

export function viewSite(state: WorldState, clusterName: string, now: number): SiteView {
  const cluster = state.description.clusters.find((c) => c.name === clusterName);
  if (cluster === undefined) throw new Error(`no cluster ${clusterName}`);
  const partitions = cluster.partitions.map((p) => ({ name: p.name, members: new Set(expandHosts(p.nodes) ?? []) }));
  return {
    cluster,
    release: releaseOf(cluster),
    now,
    nodes: nodesOf(state, clusterName).map((node) =>
      viewNode(state, node, { now, partitions: partitions.filter((p) => p.members.has(node.name)).map((p) => p.name) }),
    ),
    jobs: jobsOf(state, clusterName).sort((a, b) => a.id - b.id),
    reservations: reservationsOf(state, clusterName),
  };
}
