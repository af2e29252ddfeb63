import { z } from "zod";
import { NODE_ROLES } from "./node-role";

/** The scheduler's own words for what a node does now. */
const SCHEDULER_STATES = ["idle", "mixed", "allocated", "draining", "drained", "down", "powered-down", "unknown"] as const;

const Name = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
const Text = z.string().min(1).max(253);
const Parts = z.strictObject({ model: Text, count: z.number().int().min(0).max(1024) });
const Leaf = z.union([Name.transform((name) => ({ name, fabric: "compute" })), z.strictObject({ name: Name, fabric: Name })]);

/**
 * One node as planning needs to know it. `leaves: []`: no source knows its leaf; no `leaves` on any node: the site has no topology source.
 * A leaf written as a bare name belongs to the fabric `compute`. Nodes that are no compute nodes may leave their hardware out.
 */
export const InventoryNode = z
  .strictObject({
    name: Name,
    role: z.enum(NODE_ROLES),
    partitions: z.array(Name).max(100).optional(),
    leaves: z.array(Leaf).max(64).optional(),
    scaleSet: Text.optional(),
    serverModel: Text.optional(),
    accelerator: Parts.optional(),
    hca: Parts.optional(),
    environment: Text.optional(),
    managedBy: Text,
    state: z.enum(SCHEDULER_STATES),
    reason: z.string().max(1000).optional(),
  })
  .superRefine((node, context) => {
    if (node.role !== "compute") return;
    for (const fact of ["serverModel", "accelerator", "hca", "environment"] as const) {
      if (node[fact] === undefined)
        context.addIssue({ code: "custom", path: [fact], message: "is missing, and a compute node's class needs it" });
    }
  });
export type InventoryNode = z.infer<typeof InventoryNode>;

export const Inventory = z.array(InventoryNode).min(1).max(100_000);
