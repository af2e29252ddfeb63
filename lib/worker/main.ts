import { tick } from "@/lib/services/tick";
import { runCommand } from "@/lib/services/run-command";
import { observe } from "@/lib/services/observe";
import { deliver } from "@/lib/services/deliver";
import type { Deps } from "@/lib/services/deps";
import type { ChangeId, CommandKey } from "@/lib/core/kernel/ids";
import type { WorkerRegistry } from "@/lib/ports/worker-registry";
import { BadEnvironment, loadEnv } from "@/lib/env";
import { wire } from "@/lib/wiring";
import { startWorker } from "./start-worker";
import { workerSettings, type WorkerParts } from "./worker-parts";

const partsOf = (deps: Deps, registry: WorkerRegistry): WorkerParts => ({
  tick: (changeId, wakeSeq) => tick(deps, { changeId: changeId as ChangeId, wakeSeq }),
  run: (key, worker) => runCommand(deps, { key: key as CommandKey, worker }),
  observe: (clusterId, source) => observe(deps, { clusterId, source }),
  deliver: (messageId) => deliver(deps, { messageId }),
  sweep: async () => void (await deps.store.sweep(await deps.clock.now())),
  clockFactor: () => deps.clock.factor(),
  registry,
  log: deps.log,
});

/** Runs until SIGTERM or SIGINT; a second signal ends it at once. */
async function main(): Promise<void> {
  const env = await loadEnv();
  const settings = workerSettings(process.env);
  const { deps, workers, close } = await wire(env, "worker");
  const worker = await startWorker(partsOf(deps, workers), { databaseUrl: env.databaseUrl, settings });
  const end = (): void => {
    process.once("SIGTERM", () => process.exit(1));
    process.once("SIGINT", () => process.exit(1));
    void worker
      .stop()
      .then(close)
      .then(() => process.exit(0));
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
  // Clusters of the configuration are known from the first moment, whether or not their schedulers answer yet.
  for (const { id } of env.config.clusters) await observe(deps, { clusterId: id, source: "inventory" });
}

main().catch((error: unknown) => {
  const text = error instanceof BadEnvironment ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
