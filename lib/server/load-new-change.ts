import { paths } from "@/lib/client/paths";
import { planTemplate } from "@/lib/client/plan-template";
import { foldHostlist } from "@/lib/core/kernel/hostlist";

import { requirePerson } from "./session";
import { wired } from "./wired";

const HOUR_MS = 3_600_000;

/** What a new plan begins with: a cluster of this site, its compute nodes, and the coming night. */
export async function loadNewChange() {
  const person = await requirePerson(paths.newChange());
  const { deps } = await wired();
  const [clusters, now] = await Promise.all([deps.store.clusters(), deps.clock.now()]);
  const cluster = clusters.find((one) => one.production) ?? clusters[0];
  const nodes = cluster === undefined ? [] : (await deps.store.inventory(cluster.id)).filter((node) => node.role === "compute");
  const start = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS);
  const template = planTemplate({
    cluster: cluster?.id ?? "my-cluster",
    nodes: nodes.length === 0 ? "node[001-004]" : foldHostlist(nodes.map((node) => node.name)),
    start: start.toISOString().slice(0, 16),
    end: new Date(start.getTime() + 8 * HOUR_MS).toISOString().slice(0, 16),
  });
  return { person, template, clusters: clusters.map(({ id }) => id) };
}
