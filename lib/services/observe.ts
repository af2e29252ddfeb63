import type { Deps } from "./deps";
import { observeHosts } from "./observe/observe-hosts";
import { observeInventory } from "./observe/observe-inventory";
import { observePrometheus } from "./observe/observe-prometheus";
import { observeSlurm } from "./observe/observe-slurm";
import { observeWork } from "./observe/observe-work";

const SOURCES = ["slurm", "work", "prometheus", "ssh", "inventory"] as const;
type Source = (typeof SOURCES)[number];

const READS: Record<Source, typeof observeSlurm> = {
  slurm: observeSlurm,
  work: observeWork,
  prometheus: observePrometheus,
  ssh: observeHosts,
  inventory: observeInventory,
};

/** One read of one source of one cluster; it serves every change there. What goes wrong is said of the source, with its age, and confirms nothing. */
export async function observe(deps: Deps, read: { readonly clusterId: string; readonly source: string }): Promise<void> {
  const world = deps.world(read.clusterId);
  const source = SOURCES.find((name) => name === read.source);
  if (world === null || source === undefined) return;
  try {
    await READS[source](deps, world, read.clusterId);
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    deps.log.error({ ...read, because }, "a read broke off");
    await deps.store.failRead(read.clusterId, read.source, await deps.clock.now(), `reading broke off: ${because}`);
  }
}
