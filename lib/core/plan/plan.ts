import { z } from "zod";
import { Expectation } from "@/lib/core/check/expectation";

export const MAINTENANCE_TYPE_NAMES = [
  "gpu_driver",
  "cuda_toolkit",
  "ib_hca_firmware",
  "ib_switch_firmware",
  "os_kernel",
  "bmc_firmware",
  "vmss_image",
] as const;
export type MaintenanceTypeName = (typeof MAINTENANCE_TYPE_NAMES)[number];

const ImageIdentity = z.union([
  z.strictObject({ publisher: z.string(), offer: z.string(), sku: z.string(), version: z.string() }),
  z.strictObject({ galleryVersionId: z.string() }),
]);

/** One command of the update or rollback procedure. `{node}` in `run` is the node's name. */
export const PlanCommand = z.strictObject({
  name: z.string(),
  on: z.enum(["node", "head", "switch", "bmc"]),
  run: z.string(),
  timeoutMs: z.number(),
});
export type PlanCommand = z.infer<typeof PlanCommand>;

/**
 * One command that validates. `{node}` in `run` is the node's name, `{group}` the names of all nodes it runs on, joined by commas; with scope `change`,
 * `{gpus}` is how many GPUs those nodes have, so that a collective test asks for as many ranks.
 */
export const PlanValidation = z.strictObject({
  name: z.string(),
  scope: z.enum(["node", "group", "change"]),
  groupSize: z.number().int().nullable(),
  gate: z.enum(["batches", "fabric_validation", "spot_validation"]),
  run: z.string(),
  on: z.enum(["node", "head"]),
  parser: z.string().nullable(),
  expect: Expectation.nullable(),
  baseline: z.record(z.string(), Expectation).nullable(),
  timeoutMs: z.number(),
});
export type PlanValidation = z.infer<typeof PlanValidation>;

/**
 * The plan as understood: defaults filled in, durations in milliseconds, instants as ISO texts in UTC, versions as the text a person wrote (R1.4).
 * `readPlan` makes it from YAML. JSON column `plans.parsed`.
 */
export const Plan = z.strictObject({
  title: z.string(),
  ticket: z.string().nullable(),
  urgency: z.enum(["planned", "emergency"]),
  /** Only with urgency emergency: what makes it one (R11.4), as written. */
  criterion: z.strictObject({ kind: z.enum(["cvss", "hardware", "failure-rate"]), facts: z.record(z.string(), z.string()) }).optional(),
  announced: z.string().nullable().optional(),
  execution: z.enum(["automatic", "manual"]),
  cluster: z.string(),
  type: z.enum(MAINTENANCE_TYPE_NAMES),
  target: z.strictObject({
    /** As written; `resolved` nodes stand in the layout. */
    nodes: z.string().nullable(),
    selector: z
      .strictObject({ partition: z.string().optional(), class: z.string().optional(), scaleSet: z.string().optional() })
      .nullable(),
    /** Exact version of what the type changes: driver, toolkit, firmware, kernel ... null for an image. */
    version: z.string().nullable(),
    image: ImageIdentity.nullable(),
    hostProof: z.record(z.string(), z.string()),
  }),
  batchSize: z.number().int().positive(),
  maxNodesPerLeaf: z.number().int().positive(),
  leafRule: z.union([z.strictObject({ apply: z.literal(true) }), z.strictObject({ apply: z.literal(false), because: z.string() })]),
  interBatchDelayMs: z.number(),
  canaries: z.strictObject({ perClass: z.number().int().nonnegative(), nodes: z.array(z.string()) }),
  advance: z.enum(["manual", "auto"]),
  maxUnavailable: z.union([z.strictObject({ percent: z.number() }), z.strictObject({ nodes: z.number().int() })]).nullable(),
  windows: z.array(z.strictObject({ startsAt: z.string(), endsAt: z.string(), timezone: z.string() })),
  mixedUntil: z.string().nullable(),
  drain: z.strictObject({ deadlineMs: z.number(), gracePeriodMs: z.number(), onDeadline: z.enum(["ask", "skip-node", "defer-node"]) }),
  arrivals: z.enum(["hold"]),
  poweredDown: z.enum(["skip", "boot"]),
  persistence: z.strictObject({
    kind: z.enum(["image", "cloud-init", "config-management", "none", "in_the_device"]),
    observe: z.string().nullable(),
  }),
  osDisk: z.strictObject({ lost: z.array(z.string()), rebuiltBy: z.string().nullable() }).nullable(),
  update: z.array(PlanCommand),
  /** One per class; `class` null when the plan has a single one. */
  acceptance: z.array(z.strictObject({ job: z.string(), version: z.number().int().positive(), baseline: z.string() })),
  validate: z.array(PlanValidation),
  telemetry: z.array(
    z.strictObject({
      name: z.string(),
      query: z.string(),
      expect: Expectation,
      seriesPerNode: z.number().int().positive(),
      freshnessMs: z.number(),
      settleMs: z.number(),
    }),
  ),
  rollback: z.array(
    z.strictObject({
      name: z.string(),
      capability: z.enum(["tested", "untested", "impossible"]),
      run: z.string().nullable(),
      on: z.enum(["node", "head", "switch", "bmc"]),
      timeoutMs: z.number(),
    }),
  ),
  timeouts: z.strictObject({ healthMs: z.number(), updateMs: z.number(), rebootMs: z.number(), validateMs: z.number() }),
  people: z.strictObject({
    operator: z.array(z.string()),
    workloadOwner: z.array(z.string()),
    approver: z.array(z.string()),
    secondEngineer: z.array(z.string()),
    decisionOwner: z.string().nullable(),
  }),
});
export type Plan = z.infer<typeof Plan>;
