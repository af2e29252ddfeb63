import { z } from "zod";

/** Numbers of one cluster, from the configuration; a site may only be stricter than the rules. JSON column `clusters.policy`. All times in milliseconds. */
export const Policy = z.strictObject({
  pollMs: z.number().default(5_000),
  /** How long `observing` waits for all layers to agree before it is unresolved. */
  observeForMs: z.number().default(10 * 60_000),
  /** Facts older than this are unknown for a decision (service, workload). */
  serviceMaxAgeMs: z.number().default(60_000),
  spacingMs: z.number().default(14 * 24 * 3600_000),
  noticeMs: z.number().default(2 * 3600_000),
  reservationMs: z.number().default(30 * 24 * 3600_000),
  offerValidMs: z.number().default(12 * 3600_000),
  /** Gates a site adds to a profile; never fewer. */
  stricter: z
    .strictObject({ secondReadingAlways: z.boolean().default(false), approverForRehearsal: z.boolean().default(false) })
    .default({ secondReadingAlways: false, approverForRehearsal: false }),
  /** Deadline of a short command (check_health, drain, probe ...). */
  commandMs: z.number().default(5 * 60_000),
});
export type Policy = z.infer<typeof Policy>;
