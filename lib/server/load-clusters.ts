import { paths } from "@/lib/client/paths";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** Clusters of the configuration: whether they are stopped, and what each source last said. */
export async function loadClusters() {
  const person = await requirePerson(paths.clusters());
  const { deps } = await wired();
  const [clusters, people, open, now] = await Promise.all([
    deps.store.clusters(),
    deps.store.people(),
    deps.store.listChanges({ open: true, limit: 500 }),
    deps.clock.now(),
  ]);
  const shown = await Promise.all(
    clusters.map(async (cluster) => {
      const stop = await deps.store.clusterStop(cluster.id);
      return {
        ...cluster,
        openChanges: open.filter((change) => change.clusterId === cluster.id).map(({ id }) => id as string),
        stop:
          stop === null
            ? null
            : { because: stop.because, since: stop.since, by: people.find((one) => one.id === stop.ownerId)?.name ?? stop.ownerId },
      };
    }),
  );
  return { person, clusters: shown, now };
}
