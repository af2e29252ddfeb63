import { paths } from "@/lib/client/paths";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** Every node of one cluster, the first one where none is asked for, with what is known of it. */
export async function loadInventory(wanted: string | null) {
  await requirePerson(paths.inventory());
  const { deps } = await wired();
  const [clusters, now] = await Promise.all([deps.store.clusters(), deps.clock.now()]);
  const cluster = clusters.find((one) => one.id === wanted) ?? (wanted === null ? clusters[0] : undefined);
  return {
    clusters: clusters.map(({ id, title }) => ({ id, title })),
    cluster,
    nodes: cluster === undefined ? [] : await deps.store.inventory(cluster.id),
    now,
  };
}
