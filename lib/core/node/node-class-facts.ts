import { z } from "zod";

/** The facts that make one node's evidence valid for another (R3.1): no version, no scale set, no partition name. */
export const NodeClassFacts = z.strictObject({
  serverModel: z.string().min(1),
  accelerator: z.strictObject({ model: z.string().min(1), count: z.number().int().nonnegative() }),
  hca: z.strictObject({ model: z.string().min(1), count: z.number().int().nonnegative() }),
  environment: z.string().min(1),
});
export type NodeClassFacts = z.infer<typeof NodeClassFacts>;
