import { z } from "zod";
import { SecondReadingAnswers } from "@/lib/core/acceptance/second-reading";

/** Whatever a person writes: bounded, trimmed, never empty. */
const Reason = z.string().trim().min(3).max(2000);
const Id = z.string().min(1).max(512);
const Name = z.string().trim().min(1).max(253);
const Ticket = z.string().trim().min(1).max(100);
const Instant = z.iso.datetime({ offset: true });

/** `on`: what it is done to, where that is not the change itself. `version`: of the record as it was seen; another one is a conflict. */
const BASE = { version: z.number().int().nonnegative().optional() };
const ON = { ...BASE, on: Id };
const SAID = { reason: Reason.optional() };
const DECIDED = { reason: Reason };

const act = <A extends string, F extends z.ZodRawShape>(action: A, fields: F) => z.strictObject({ action: z.literal(action), ...fields });

/** One action as it is asked for: `POST /changes/{id}/actions/{action}` with the other fields as its body. */
export const ActionRequest = z.discriminatedUnion("action", [
  act("edit-plan", { ...BASE, ...SAID, yaml: z.string().min(1).max(262_144) }),
  act("narrow", {
    ...BASE,
    ...DECIDED,
    batchSize: z.number().int().positive().max(10_000).optional(),
    /** Milliseconds. */ interBatchDelay: z.number().int().nonnegative().max(31_536_000_000).optional(),
    limits: z
      .array(z.strictObject({ check: Name, limit: Name }))
      .max(100)
      .optional(),
    /** Waiting batches in the order they shall start. */ order: z.array(z.number().int().positive()).max(10_000).optional(),
  }),
  act("split-class", { ...ON, ...DECIDED, part: z.string().trim().min(1).max(60), nodes: z.array(Name).min(1).max(10_000) }),
  act("merge-classes", { ...ON, ...DECIDED, classes: z.array(Name).min(1).max(100) }),
  act("lock-job", {
    ...BASE,
    ...SAID,
    /** baseline: an id, or `capture`. */ jobs: z
      .array(z.strictObject({ class: Name, job: Name, baseline: Id }))
      .min(1)
      .max(100),
  }),
  act("capture-baseline", { ...ON, ...SAID }),
  act("link-rehearsal", { ...BASE, ...SAID, rehearsal: Id, kind: z.enum(["failure", "recovery"]) }),
  act("accept-finding", { ...ON, ...DECIDED }),
  act("approve-plan", {
    ...BASE,
    ...DECIDED,
    accepts: z.array(Id).max(1_000).default([]),
    standing: z.boolean().default(false),
    until: Instant.optional(),
  }),
  act("reject-plan", { ...BASE, ...DECIDED }),
  act("book-window", { ...BASE, ...SAID, on: Id.optional(), start: Instant, end: Instant, timezone: z.string().min(1).max(64) }),
  act("cancel-window", { ...ON, ...SAID }),
  act("run-preflight", { ...BASE, ...SAID }),
  act("run-check", { ...ON, ...SAID }),
  act("waive", { ...ON, ...DECIDED, until: Instant }),
  act("upload-evidence", {
    ...ON,
    ...SAID,
    /** SHA-256 of what was uploaded before; the service reads them with the parser. */ files: z.array(Id).max(20).default([]),
    parser: z.string().max(60).optional(),
    at: Instant.optional(),
  }),
  act("start-canary", { ...BASE, ...SAID }),
  act("judge", { ...ON, ...DECIDED, choice: z.enum(["accept", "reject"]) }),
  act("sign-off", { ...ON, ...DECIDED, acknowledges: z.array(Id).max(1_000).default([]) }),
  act("reject-canary", { ...ON, ...DECIDED }),
  act("void-canary", { ...ON, ...DECIDED }),
  act("record-reading", {
    ...ON,
    ...SAID,
    answers: SecondReadingAnswers.omit({ comment: true }),
    comment: z.string().max(4000).default(""),
  }),
  act("start-batch", { ...ON, ...SAID }),
  act("pause", { ...BASE, ...DECIDED }),
  act("resume", { ...BASE, ...DECIDED }),
  act("decide", {
    ...ON,
    ...DECIDED,
    choice: z.enum(["retry", "go_on", "roll_back_all", "stop"]),
    earlier: z.enum(["keep", "roll_back"]).optional(),
  }),
  act("decide-drain", { ...ON, ...DECIDED, choice: z.enum(["wait", "defer", "withdraw", "take_over"]) }),
  act("ask-checkpoint", { ...ON, ...SAID }),
  act("retry-node", { ...ON, ...SAID }),
  act("withdraw-node", { ...ON, ...DECIDED }),
  act("defer-node", { ...ON, ...DECIDED }),
  act("roll-back-node", { ...ON, ...DECIDED }),
  act("release-node", { ...ON, ...DECIDED, owner: Id, ticket: Ticket }),
  act("assign-investigator", { ...ON, ...SAID, to: Id }),
  act("grant-relaxation", {
    ...BASE,
    ...DECIDED,
    what: z.enum(["maxNodesPerLeaf", "maxUnavailable", "warning_limit"]),
    /** For a warning limit: the check's name, a colon and the limit. */ value: z.union([
      z.number().nonnegative(),
      z.string().min(1).max(253),
    ]),
    until: Instant,
  }),
  act("confirm-definition", { ...BASE, ...SAID }),
  act("run-fabric-validation", { ...BASE, ...SAID }),
  act("run-spot-validation", { ...BASE, ...SAID }),
  act("offer-ownership", { ...BASE, ...SAID, to: Id }),
  act("accept-ownership", { ...BASE, ...SAID }),
  act("decline-ownership", { ...BASE, ...SAID }),
  act("settle-obligation", { ...ON, ...DECIDED }),
  act("revoke", { ...ON, ...DECIDED }),
  act("withdraw", { ...BASE, ...DECIDED }),
  act("close", {
    ...BASE,
    ...SAID,
    out: z
      .array(z.strictObject({ node: Name, owner: Id, ticket: Ticket, reason: Reason }))
      .max(10_000)
      .default([]),
  }),
]);
export type ActionRequest = z.infer<typeof ActionRequest>;
