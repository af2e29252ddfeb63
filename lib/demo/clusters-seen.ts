import type { Deps } from "@/lib/services/deps";
import { until } from "./until";

/** Waits until the worker has listed every cluster once: before, no plan can name their nodes. `said` is shown when it takes too long. */
export async function clustersSeen(deps: Pick<Deps, "store">, names: readonly string[], said: () => string): Promise<void> {
  const look = async (): Promise<true | null> => {
    const seen = new Map((await deps.store.clusters()).map(({ id, reads }) => [id, reads]));
    const isRead = (name: string): boolean =>
      ["inventory", "slurm"].every((source) => (seen.get(name) ?? []).some((read) => read.source === source && read.confirmsAt !== null));
    return names.every(isRead) ? true : null;
  };
  await until("a first look at every cluster", look, { timeoutMs: 60_000, seen: said });
}
