import dbos from "@dbos-inc/dbos-sdk";
import type { WorkerParts } from "./worker-parts";

const { DBOS } = dbos;

/** Queues and how much of each runs at once: in this process, or in a whole partition over all processes. */
const QUEUES = {
  ticks: { partitionConcurrency: 1, workerConcurrency: 4, minPollingIntervalMs: 100 },
  commands: { workerConcurrency: 16, minPollingIntervalMs: 100 },
  reads: { partitionConcurrency: 1, workerConcurrency: 8, minPollingIntervalMs: 100 },
  messages: { partitionConcurrency: 1, workerConcurrency: 2, minPollingIntervalMs: 500 },
} as const;

/**
 * The names under which the record enqueues work. Each workflow is one step, so that a repeated one begins anew and claims anew: with several, the
 * next worker would go on under the attempt of the dead one and the fence would be worth nothing.
 */
export function registerWorkflows(parts: WorkerParts, worker: string): void {
  const register = <Args extends (string | number)[]>(name: string, step: (...args: Args) => Promise<void>) =>
    DBOS.registerWorkflow(
      async (...args: Args): Promise<void> => {
        try {
          await DBOS.runStep(() => step(...args), { name });
        } catch (error) {
          // The sweep puts it into the queue again; the record says what is still due.
          parts.log.error(
            { workflow: name, args, because: error instanceof Error ? (error.stack ?? error.message) : String(error) },
            `${name} broke off`,
          );
          throw error;
        }
      },
      { name },
    );
  register("tick", (changeId: string, wakeSeq: number) => parts.tick(changeId, wakeSeq));
  register("run", (key: string) => parts.run(key, worker));
  register("observe", (clusterId: string, source: string) => parts.observe(clusterId, source));
  register("deliver", (messageId: string) => parts.deliver(messageId));
}

export async function registerQueues(): Promise<void> {
  for (const [name, limits] of Object.entries(QUEUES)) await DBOS.registerQueue(name, { ...limits, onConflict: "always_update" });
}
