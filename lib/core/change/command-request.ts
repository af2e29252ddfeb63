import { z } from "zod";
import { RUN_PURPOSES } from "@/lib/core/acceptance/run";
import { Reading } from "@/lib/core/check/reading";
import { COMPONENTS } from "@/lib/core/config-state/observation";
import { SERVICE_STATES } from "@/lib/core/node/service";

const on = z.enum(["node", "head", "switch", "bmc"]);

/** What exactly is to be done, complete enough that whoever performs it decides nothing. JSON column `commands.request`. */
export const CommandRequest = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("check_health"), node: z.string(), expectGpus: z.number() }),
  /** read: the command that prints a component's version; null where the plan names none. */
  z.strictObject({
    kind: z.literal("save_versions"),
    node: z.string(),
    components: z.array(
      z.strictObject({
        name: z.string(),
        component: z.enum(COMPONENTS),
        capability: z.enum(["tested", "untested", "impossible"]),
        read: z.string().nullable(),
      }),
    ),
  }),
  z.strictObject({ kind: z.literal("protect"), node: z.string() }),
  z.strictObject({ kind: z.literal("unprotect"), node: z.string() }),
  z.strictObject({
    kind: z.literal("drain"),
    node: z.string(),
    reason: z.string(),
    /** Somebody else's drain with exactly this reason becomes ours by this decision; any other stays theirs (R9.2). */
    takesOver: z.strictObject({ reason: z.string().nullable(), decisionId: z.string() }).optional(),
  }),
  /** Lifts our drain; refused by the performer when the reason in the scheduler is no longer ours. */
  z.strictObject({ kind: z.literal("release"), node: z.string(), reason: z.string() }),
  z.strictObject({
    kind: z.literal("start_update"),
    node: z.string(),
    stage: z.number(),
    name: z.string(),
    on,
    run: z.string(),
    timeoutMs: z.number(),
  }),
  z.strictObject({
    kind: z.literal("start_rollback"),
    node: z.string(),
    stage: z.number(),
    component: z.string(),
    on,
    run: z.string(),
    timeoutMs: z.number(),
  }),
  z.strictObject({ kind: z.literal("stop_update"), node: z.string(), of: z.string() }),
  z.strictObject({ kind: z.literal("stop_run"), node: z.string(), of: z.string() }),
  z.strictObject({ kind: z.literal("reboot"), node: z.string(), bootedBefore: z.string().nullable() }),
  /** Reads the host: boot id and the named components. */
  z.strictObject({ kind: z.literal("probe"), node: z.string(), components: z.array(z.enum(COMPONENTS)) }),
  /** A MAINT reservation for the acceptance account that ends 30 days away (R3.6). After it is read back the node is resumed inside it. */
  z.strictObject({
    kind: z.literal("reserve"),
    name: z.string(),
    nodes: z.array(z.string()),
    durationMs: z.number(),
    resume: z.boolean(),
    reason: z.string(),
  }),
  /** drainFirst: not accepted, so our drain is set again before the reservation goes. */
  z.strictObject({
    kind: z.literal("unreserve"),
    name: z.string(),
    nodes: z.array(z.string()),
    drainFirst: z.boolean(),
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal("start_run"),
    node: z.string(),
    /** All nodes it runs on, `node` first; more than one for group and change checks. */
    nodes: z.array(z.string()),
    checkId: z.string(),
    /** null: a plain command of the plan over SSH. */
    job: z
      .strictObject({
        id: z.string(),
        script: z.string(),
        name: z.string(),
        reservation: z.string().nullable(),
        repeat: z.number(),
        purpose: z.enum(RUN_PURPOSES),
        parser: z.string().nullable(),
      })
      .nullable(),
    run: z.string().nullable(),
    on: z.enum(["node", "head"]),
    parser: z.string().nullable(),
    timeoutMs: z.number(),
  }),
]);
export type CommandRequest = z.infer<typeof CommandRequest>;

/** Where a long command can be found again. JSON column `commands.handle`. */
export const CommandHandle = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("folder"), host: z.string(), folder: z.string(), bootId: z.string().nullable() }),
  z.strictObject({ is: z.literal("job"), jobId: z.string(), name: z.string(), host: z.string(), output: z.string() }),
  z.strictObject({ is: z.literal("reboot"), host: z.string(), bootId: z.string().nullable(), bootedAt: z.string().nullable() }),
]);
export type CommandHandle = z.infer<typeof CommandHandle>;

/** How it ended. `unknown`: nobody can say whether it was done; never sent again without reading the real state (R9.4). JSON column `commands.outcome`. */
export const CommandOutcome = z.strictObject({
  result: z.enum(["done", "already", "failed", "unknown"]),
  because: z.string(),
  exitCode: z.number().nullable().optional(),
  signal: z.string().nullable().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  requeues: z.number().optional(),
  ranOn: z.array(z.string()).optional(),
  truncated: z.boolean().optional(),
  reading: Reading.optional(),
  /** The first 4 KiB of what it printed, for sentences; the whole is the evidence. */
  said: z.string().optional(),
  outputSha: z.string().optional(),
  health: z
    .strictObject({
      state: z.enum(SERVICE_STATES),
      reason: z.string().nullable(),
      gpusSeen: z.number().nullable(),
      observationIds: z.array(z.number()),
    })
    .optional(),
  saved: z.array(z.strictObject({ name: z.string(), version: z.string().nullable(), because: z.string() })).optional(),
  bootId: z.string().nullable().optional(),
});
export type CommandOutcome = z.infer<typeof CommandOutcome>;
