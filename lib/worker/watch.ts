import { hostname } from "node:os";
import dbos from "@dbos-inc/dbos-sdk";
import type { WorkerParts, WorkerSettings } from "./worker-parts";

const { DBOS } = dbos;
const RELEASE = "0.1.0";

/** Says that this process lives. */
export const beat = (parts: WorkerParts, id: string): Promise<void> => parts.registry.beat({ id, host: hostname(), release: RELEASE });

/** One beat, then the work of workers that have been silent too long goes back into its queues (MODEL 5.4). */
export async function watch(parts: WorkerParts, id: string, { silentMs }: WorkerSettings): Promise<void> {
  await beat(parts, id);
  const taken = await parts.registry.takeOver(silentMs, async (queueName, workflowIds) => {
    await DBOS.resumeWorkflows([...workflowIds], { queueName });
  });
  if (taken > 0) parts.log.warn({ taken }, "took over the work of a worker that went silent");
}

/** Real milliseconds between two sweeps: often enough for what becomes due in shown time, never more often than every 200 ms. */
export const sweepEveryMs = (factor: number): number => Math.min(1_000, Math.max(200, 5_000 / factor));

/**
 * Repeats `work`, never twice at once, `pauseMs` after it ended. A failure is told once until it works again. `stop` waits for what is running.
 */
export function repeat(work: () => Promise<void>, pauseMs: () => number, onTrouble: (error: unknown) => void): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let told = false;
  const again = (): void => {
    if (!stopped) timer = setTimeout(() => void (running = once()), pauseMs());
  };
  const once = async (): Promise<void> => {
    try {
      await work();
      told = false;
    } catch (error) {
      if (!told) onTrouble(error);
      told = true;
    }
    again();
  };
  again();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
