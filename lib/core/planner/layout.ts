import { z } from "zod";

/** The plan resolved against the inventory: who is in which batch. JSON column `plans.preview`, and what batches and targets are written from. */
export const PlanLayout = z.strictObject({
  batches: z.array(
    z.strictObject({
      index: z.number().int(),
      nodes: z.array(
        z.strictObject({
          name: z.string(),
          canary: z.boolean(),
          mode: z.enum(["update", "validate_only"]),
          class: z.string(),
          leaves: z.array(z.string()),
          gpus: z.number(),
          rollback: z.enum(["tested", "untested", "impossible"]),
        }),
      ),
    }),
  ),
  notPlanned: z.array(z.strictObject({ name: z.string(), because: z.string() })),
  batchSize: z.strictObject({ asked: z.number(), used: z.number(), because: z.string().nullable() }),
  lowerBound: z.number(),
  /** findings wait for the named role; conflicts close the plan. */
  findings: z.array(z.strictObject({ code: z.string(), text: z.string(), acceptedBy: z.string() })),
  conflicts: z.array(z.strictObject({ code: z.string(), text: z.string() })),
});
export type PlanLayout = z.infer<typeof PlanLayout>;
