import type { Log } from "@/lib/ports/log";
import type { WorkerRegistry } from "@/lib/ports/worker-registry";

/** What the workflows do, each call one whole step that may be repeated (MODEL 5.1). */
export type WorkerParts = {
  tick(changeId: string, wakeSeq: number): Promise<void>;
  run(key: string, worker: string): Promise<void>;
  observe(clusterId: string, source: string): Promise<void>;
  deliver(messageId: string): Promise<void>;
  /** Puts whatever is due and not queued into its queue. */
  sweep(): Promise<void>;
  /** Shown seconds per real second: how much faster than real time things become due. */
  clockFactor(): Promise<number>;
  readonly registry: WorkerRegistry;
  readonly log: Log;
};

/** In real milliseconds. silentMs: how long a worker may be silent before the others take over its work. */
export type WorkerSettings = { readonly beatMs: number; readonly silentMs: number };

const DEFAULTS: WorkerSettings = { beatMs: 5_000, silentMs: 20_000 };

/** From CLEARANCE_BEAT_MS and CLEARANCE_SILENT_MS. A limit of less than two beats would bury the living, so it is refused. */
export function workerSettings(variables: Readonly<Record<string, string | undefined>>): WorkerSettings {
  const beatMs = milliseconds(variables["CLEARANCE_BEAT_MS"], "CLEARANCE_BEAT_MS", DEFAULTS.beatMs);
  const silentMs = milliseconds(variables["CLEARANCE_SILENT_MS"], "CLEARANCE_SILENT_MS", DEFAULTS.silentMs);
  if (silentMs < 2 * beatMs) throw new Error(`CLEARANCE_SILENT_MS (${silentMs}) must be at least twice CLEARANCE_BEAT_MS (${beatMs}).`);
  return { beatMs, silentMs };
}

function milliseconds(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined || text === "") return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 100 || value > 600_000)
    throw new Error(`${name} must be a number of milliseconds from 100 to 600000, not "${text}".`);
  return value;
}
