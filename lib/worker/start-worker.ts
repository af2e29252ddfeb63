import { randomUUID } from "node:crypto";
import dbos from "@dbos-inc/dbos-sdk";
import { quietLogger } from "./quiet-logger";
import { beat, repeat, sweepEveryMs, watch } from "./watch";
import type { WorkerParts, WorkerSettings } from "./worker-parts";
import { registerQueues, registerWorkflows } from "./workflows";

const { DBOS } = dbos;

/** A name shared with `dbos.enqueue_workflow` in the store; rows of another application or version are never picked up. */
const APPLICATION = "clearance";
const VERSION = "1";
/** A process that hangs while it takes work from a queue keeps that queue locked; after this long the database ends its session. */
const STALLED_MS = 10_000;
/** How long a clean end waits for work that is running. */
const FINISH_MS = 20_000;

/**
 * Takes work from the queues until `stop`. One per process, because the workflow engine is one per process; any number of processes on any number
 * of machines share the work. The executor's id is fresh for every process: a dead one is recognised by its silence, never by its name.
 */
export async function startWorker(
  parts: WorkerParts,
  { databaseUrl, settings }: { readonly databaseUrl: string; readonly settings: WorkerSettings },
): Promise<{ readonly id: string; stop(): Promise<void> }> {
  const id = randomUUID();
  await beat(parts, id); // before any work is taken: a worker without a row counts as silent
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: databaseUrl,
    applicationVersion: VERSION,
    executorID: id,
    systemDatabaseIdleTransactionTimeoutMs: STALLED_MS,
    logger: quietLogger(parts.log, () => performance.now()),
  });
  registerWorkflows(parts, id);
  await DBOS.launch();
  await registerQueues();
  const trouble = (what: string) => (error: unknown) =>
    parts.log.warn({ because: String(error) }, `${what} does not work; it is tried again`);
  const watching = repeat(
    () => watch(parts, id, settings),
    () => settings.beatMs,
    trouble("the heartbeat"),
  );
  let pauseMs = sweepEveryMs(1);
  const sweeping = repeat(
    async () => {
      await parts.sweep();
      pauseMs = sweepEveryMs(await parts.clockFactor());
    },
    () => pauseMs,
    trouble("the sweep"),
  );
  parts.log.info({ worker: id }, "the worker takes work");
  return {
    id,
    async stop() {
      await sweeping.stop();
      await DBOS.shutdown({ workflowCompletionTimeoutMS: FINISH_MS });
      await watching.stop(); // it beats to the end, so that nobody takes over what is being finished
      await parts.registry.stopped(id);
      parts.log.info({ worker: id }, "the worker has stopped");
    },
  };
}
