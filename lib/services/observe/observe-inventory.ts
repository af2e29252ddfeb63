import { storableText } from "@/lib/core/kernel/storable-text";
import type { InventoryEntry } from "@/lib/ports/rows";
import type { SchedulerTopology } from "@/lib/ports/scheduler";
import type { ClusterSite, ClusterWorld, Deps } from "../deps";

const SOURCE = "inventory";
const AGAIN_MS = 5 * 60_000;

/**
 * Who the nodes are: facts from the configuration, partitions and (where it says so) leaves from the scheduler. A scheduler that does not
 * answer changes nothing: what was known stays, with its age.
 */
export async function observeInventory(deps: Deps, world: ClusterWorld, clusterId: string): Promise<void> {
  const site = deps.site(clusterId);
  if (site === null) return;
  const startedAt = await deps.clock.now();
  const known = await deps.store.subjects(clusterId);
  const [nodes, topology] = await Promise.all([
    world.scheduler.listNodes(),
    site.setup.topology.is === "from_scheduler" ? world.scheduler.readTopology() : Promise.resolve({ ok: true as const, value: null }),
  ]);
  const failure = nodes.ok ? (topology.ok ? null : topology.error.because) : nodes.error.because;
  if (failure !== null && known.some((subject) => subject.kind === "node")) {
    await deps.store.failRead(clusterId, SOURCE, startedAt, failure);
    return;
  }
  const partitions = new Map(nodes.ok ? nodes.value.entries.map((node) => [node.name, node.partitions]) : []);
  await deps.store.syncCluster(site.setup, entriesOf(site, partitions, topology.ok ? topology.value : null), startedAt);
  if (failure !== null) {
    await deps.store.failRead(clusterId, SOURCE, startedAt, failure);
    return;
  }
  await deps.store.recordRead({
    clusterId,
    source: SOURCE,
    startedAt,
    complete: true,
    listed: partitions.size,
    evidence: [],
    observations: [],
    boots: [],
    nextInMs: AGAIN_MS,
  });
}

/** Names in the configuration and no others: a node that only the scheduler knows has no facts, so no evidence could be valid for it. */
function entriesOf(
  site: ClusterSite,
  partitions: ReadonlyMap<string, readonly string[]>,
  topology: SchedulerTopology | null,
): readonly InventoryEntry[] {
  const leaves = leavesOf(site, topology);
  const entries = new Map<string, InventoryEntry>();
  for (const rule of site.nodes) {
    for (const name of rule.names) {
      if (entries.has(name)) continue;
      entries.set(name, {
        name,
        role: rule.role,
        facts: rule.facts,
        partitions: partitions.get(name) ?? [],
        leaves: leaves === null ? null : (leaves.get(name) ?? []),
      });
    }
  }
  return [...entries.values()];
}

type Leaves = Map<string, { readonly name: string; readonly fabric: string }[]>;

/** null: this cluster has no topology source. A node that a source leaves out has no known leaf, which is something else. */
function leavesOf(site: ClusterSite, topology: SchedulerTopology | null): Leaves | null {
  const { setup } = site;
  if (setup.topology.is === "none" || (setup.topology.is === "from_scheduler" && topology === null)) return null;
  const source =
    setup.topology.is === "configured"
      ? setup.topology.leaves
      : (topology?.leaves ?? []).map((one) => ({ name: storableText(one.leaf), fabric: "compute", nodes: one.nodes }));
  const leaves: Leaves = new Map();
  for (const leaf of source)
    for (const node of leaf.nodes) leaves.set(node, [...(leaves.get(node) ?? []), { name: leaf.name, fabric: leaf.fabric }]);
  return leaves;
}
