import { z } from "zod";
import { SERVICE_STATES, type Service } from "./service";

/** Value of an observation of field `service`, component `none`. JSON column `observations.value`. */
export const ServiceValue = z.strictObject({
  state: z.enum(SERVICE_STATES),
  /** The scheduler's own words: base state and flags. */
  words: z.array(z.string()),
  reason: z.string().nullable(),
  reasonAt: z.string().nullable(),
  reservation: z.string().nullable(),
  jobs: z.array(z.strictObject({ id: z.string(), user: z.string(), endsAt: z.string() })),
});
export type ServiceValue = z.infer<typeof ServiceValue>;

/** Normal form by which two reads are equal: state, then reason, reservation and job ids. The state alone is before the first bar. */
export const serviceText = (value: ServiceValue): string =>
  [value.state, value.reason ?? "", value.reservation ?? "", ...value.jobs.map((job) => job.id).sort()].join("|");

/** `drainReason`: ours on this node, exact; Slurm may append to it (R9.2). `reservation`: ours, inside which the node is resumed. */
export function serviceOf(value: ServiceValue, drainReason: string, reservation: string | null): Service {
  const drained = value.state === "drained" || value.state === "draining" || value.state === "down";
  const ours = drained ? isOurReason(value.reason, drainReason) : reservation !== null && value.reservation === reservation;
  const jobs = value.jobs.map((job) => ({
    id: job.id,
    user: job.user,
    endsAt: job.endsAt === "no_limit" ? ("no_limit" as const) : new Date(job.endsAt),
  }));
  return { state: value.state, reason: value.reason, ours, jobs };
}

/** Ours begins with our text and stays ours when the scheduler appends to it (R9.2). */
export const isOurReason = (reason: string | null, drainReason: string): boolean =>
  reason !== null && (reason === drainReason || reason.startsWith(`${drainReason} `) || reason.startsWith(`${drainReason}:`));

/** Still the drain whose reason was `agreed`: the scheduler may have appended to it since (R9.2). */
export const isSameDrain = (reason: string | null, agreed: string | null): boolean =>
  reason === agreed || (agreed !== null && agreed !== "" && isOurReason(reason, agreed));

/** The one text by which a drain is recognised as this change's (R9.2). */
export const drainReasonOf = (changeId: string, node: string): string => `clearance:${changeId}/${node}`;
