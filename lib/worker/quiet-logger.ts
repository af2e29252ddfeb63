import type { Log } from "@/lib/ports/log";

/** How long one outage is told only once, in milliseconds. */
const ONCE_PER_MS = 30_000;
const LOST = /ECONN|ETIMEDOUT|EPIPE|terminat|connection|starting up|shutting down|in recovery/i;

/**
 * What the workflow engine says, in our own words: it logs every poll that fails while the database is away, ten a second and queue. One line says
 * so instead; what else goes wrong is passed on. `now`: real milliseconds.
 */
export function quietLogger(log: Log, now: () => number) {
  let toldAt = Number.NEGATIVE_INFINITY;
  const pass = (level: "warn" | "error", entry: unknown): void => {
    const text = entry instanceof Error ? entry.message : String(entry);
    if (!LOST.test(text)) return log[level]({ engine: text }, "the workflow engine reports a problem");
    if (now() - toldAt < ONCE_PER_MS) return;
    toldAt = now();
    log.warn({ engine: text.slice(0, 200) }, "the database does not answer; work goes on when it does");
  };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (entry: unknown) => pass("warn", entry),
    error: (entry: unknown) => pass("error", entry),
  };
}
