import { z } from "zod";
import { OBSERVED_FIELDS, COMPONENTS } from "@/lib/core/config-state/observation";
import { Expectation } from "./expectation";

/** The rows preflight writes (R7.7). Later versions add rows; those of R7.7 that are not built are listed as "not checked by this version". */
export const PREFLIGHT_ROWS = [
  "scheduler",
  "nodes",
  "topology",
  "telemetry_present",
  "rollback_source",
  "baseline",
  "no_other_change",
  "window",
  "spacing",
  "approvals",
  "rehearsals",
  "jobs_in_the_way",
  "scope_supported",
] as const;
export type PreflightRow = (typeof PREFLIGHT_ROWS)[number];

/** What a check asks, written down before the step that needs it (R2.1). JSON column `checks.spec`. */
export const CheckSpec = z.discriminatedUnion("kind", [
  /** A command on the node (or head), its output judged by exit code, parser, expectation and baseline. */
  z.strictObject({
    kind: z.literal("command"),
    run: z.string(),
    on: z.enum(["node", "head"]),
    parser: z.string().nullable(),
    expect: Expectation.nullable(),
    /** metric name -> limit, for example busbw above 90 % of baseline. */
    baseline: z.record(z.string(), Expectation).nullable(),
    groupSize: z.number().int().nullable(),
    timeoutMs: z.number(),
    /** GPUs the inventory says the node has; null where the check is not about one node. */
    gpus: z.number().int().nullable(),
  }),
  z.strictObject({
    kind: z.literal("telemetry"),
    query: z.string(),
    expect: Expectation,
    seriesPerNode: z.number().int().positive(),
    freshnessMs: z.number(),
    settleMs: z.number(),
  }),
  /** One repeat set of the locked acceptance job. */
  z.strictObject({
    kind: z.literal("acceptance"),
    jobId: z.string(),
    purpose: z.enum(["baseline", "canary", "acceptance", "rollback_acceptance"]),
  }),
  /** A configuration layer agrees with what the pass aims at. */
  z.strictObject({ kind: z.literal("configuration"), field: z.enum(OBSERVED_FIELDS), component: z.enum(COMPONENTS), wanted: z.string() }),
  z.strictObject({ kind: z.literal("preflight"), row: z.enum(PREFLIGHT_ROWS) }),
]);
export type CheckSpec = z.infer<typeof CheckSpec>;
