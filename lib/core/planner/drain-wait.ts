import type { NodeJob, ServiceState } from "@/lib/core/node/service";

/** What is known of a node's jobs. `serviceWords` and `serviceSeenAt`: null where nobody has read it. */
type NodeJobs = {
  readonly name: string;
  readonly service: ServiceState;
  readonly serviceWords: readonly string[] | null;
  readonly serviceSeenAt: Date | null;
  readonly jobs: readonly NodeJob[];
};

/** Jobs come and go: what was read longer ago than this says nothing about those that run now. */
const JOBS_KNOWN_FOR_MS = 15 * 60_000;

/** Until when the last job on these nodes may run, by its limit (R5.8). A job without one, or a node whose jobs nobody has read lately: cannot be told. */
export const drainWaitOf =
  (nodes: readonly NodeJobs[], now: Date) =>
  (names: readonly string[]): number | null => {
    const meant = new Set(names);
    const waits = nodes
      .filter((node) => meant.has(node.name))
      .map((node) => {
        const known = node.serviceWords !== null && node.serviceSeenAt !== null;
        if (!known || now.getTime() - (node.serviceSeenAt?.getTime() ?? 0) > JOBS_KNOWN_FOR_MS) return null;
        const ends = node.jobs.map((job) => (job.endsAt === "no_limit" ? Number.POSITIVE_INFINITY : job.endsAt.getTime()));
        // A draining node without a job in the list is finishing something that the list does not show.
        if (ends.length === 0) return node.service === "draining" || node.service === "unknown" ? null : 0;
        const last = Math.max(...ends);
        return Number.isFinite(last) ? Math.max(0, Math.ceil((last - now.getTime()) / 60_000)) : null;
      });
    return waits.reduce<number | null>((longest, one) => (longest === null || one === null ? null : Math.max(longest, one)), 0);
  };
