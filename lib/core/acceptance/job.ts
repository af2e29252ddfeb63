import { z } from "zod";
import { Expectation } from "@/lib/core/check/expectation";

/** An acceptance job as locked: versions are immutable (R3.2). JSON column `acceptance_jobs.spec`. */
export const AcceptanceJobSpec = z.strictObject({
  name: z.string(),
  version: z.number().int().positive(),
  /** Readable class label, for example h100-8/cx7-8/ubuntu22. */
  class: z.string(),
  script: z.string(),
  inputs: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  applicationVersion: z.string(),
  expectOutput: z.union([
    z.strictObject({ kind: z.literal("parser"), parser: z.string(), values: z.record(z.string(), Expectation) }),
    z.strictObject({ kind: z.literal("sha256"), sha256: z.string() }),
    z.strictObject({ kind: z.literal("exact"), text: z.string() }),
    z.strictObject({ kind: z.literal("number"), value: z.number(), tolerance: z.number() }),
  ]),
  metrics: z.array(
    z.strictObject({
      name: z.string(),
      parser: z.string(),
      unit: z.string(),
      direction: z.enum(["higher", "lower"]),
      warn: Expectation.nullable(),
      fail: Expectation,
    }),
  ),
  repeats: z.number().int().min(1).max(50),
  timeLimitMs: z.number(),
  judges: z.array(z.string()),
});
export type AcceptanceJobSpec = z.infer<typeof AcceptanceJobSpec>;
