import { z } from "zod";

/** One read of one telemetry check for one node: every series that belongs to it, as text, with its own sample time (R2.3). JSON column `observations.value`. */
export const SeriesSeen = z.strictObject({
  observationId: z.number().optional(),
  query: z.string(),
  readAt: z.string(),
  /** The scrape target's `up`, null when it has none. */
  up: z.number().nullable(),
  warnings: z.array(z.string()),
  samples: z.array(
    z.strictObject({ entity: z.string(), labels: z.record(z.string(), z.string()), text: z.string(), sampledAt: z.string().nullable() }),
  ),
  /** Why the read gave nothing usable; null when it answered. */
  error: z.string().nullable(),
});
export type SeriesSeen = z.infer<typeof SeriesSeen>;
