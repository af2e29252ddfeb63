import { PAGE_ROWS, isOf, pick, SHOWN, type InventoryQuery, type InventoryRow } from "@/lib/client/inventory-query";
import { paths } from "@/lib/client/paths";
import { driftOf } from "@/lib/core/node/drift";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** One cluster's nodes, the first cluster's where none is asked for: one page of what fits the query, and how many fit every filter. */
export async function loadInventory(query: InventoryQuery) {
  await requirePerson(paths.inventory());
  const { deps } = await wired();
  const [clusters, now] = await Promise.all([deps.store.clusters(), deps.clock.now()]);
  const cluster = clusters.find((one) => one.id === query.cluster) ?? (query.cluster === null ? clusters[0] : undefined);
  const [nodes, open] =
    cluster === undefined
      ? [[], []]
      : await Promise.all([deps.store.inventory(cluster.id), deps.store.listChanges({ clusterId: cluster.id, open: true, limit: 500 })]);
  const goals = new Map(open.map(({ id, goalText }) => [id as string, goalText]));
  const wantedOf = (change: string | null): string | null => (change === null ? null : (goals.get(change) ?? null));
  const drift = driftOf(nodes.map((node) => ({ ...node, wanted: wantedOf(node.changeId) })));
  const rows = nodes.map((node): InventoryRow => ({
    name: node.name,
    class: node.classLabel === "" ? node.role : node.classLabel,
    leaves: node.leaves?.map((leaf) => leaf.name) ?? null,
    scaleSet: node.scaleSet,
    service: node.service,
    reason: node.serviceReason,
    seenAt: node.serviceSeenAt,
    reported: node.reported,
    change: node.changeId,
    step: node.step,
    wanted: wantedOf(node.changeId),
    differs: drift.get(node.name) ?? [],
  }));
  const found = pick(rows, query);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const page = Math.min(query.page, pages);
  return {
    clusters: clusters.map(({ id, title }) => ({ id, title })),
    cluster,
    counts: Object.fromEntries(SHOWN.map((show) => [show, rows.filter(isOf[show]).length])) as Readonly<
      Record<InventoryQuery["show"], number>
    >,
    rows: found.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS),
    found: found.length,
    page,
    pages,
    now,
  };
}
