import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import { limitOf, parseLimit } from "@/lib/core/check/limit";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import { isStricter } from "./narrowing";
import { decisionsOf, newest, standsAt } from "./decision-rules";
import type { Snapshot } from "./snapshot";

/** How many nodes of one leaf may be out together: as planned, or more while an approver's relaxation stands (R5.2). */
export function nodesPerLeaf(s: Snapshot, now: Date): number {
  const granted = newest(decisionsOf(s, "relaxation").filter((d) => standsAt(d, now) && d.facts["what"] === "maxNodesPerLeaf"));
  const value = granted?.facts["value"];
  return typeof value === "number" ? Math.max(value, s.plan.maxNodesPerLeaf) : s.plan.maxNodesPerLeaf;
}

type Metric = AcceptanceJobSpec["metrics"][number];

/** The job as it warns while relaxations of its warning limits stand; what fails stays as it was locked (R2.7, R3.2). */
export function jobInForce(s: Snapshot, job: AcceptanceJobSpec, now: Date): AcceptanceJobSpec {
  const granted = decisionsOf(s, "relaxation").filter((d) => standsAt(d, now) && d.facts["what"] === "warning_limit");
  if (granted.length === 0) return job;
  const relaxed = (metric: Metric): Metric =>
    granted.reduce((m: Metric, d): Metric => {
      const read = readWarning([job], d.facts["value"]);
      return read.ok && read.value.metric === m.name ? { ...m, warn: read.value.warn } : m;
    }, metric);
  return { ...job, metrics: job.metrics.map(relaxed) };
}

/**
 * "nccl-h100: busbw > 92%": a warning limit of one of these jobs, looser than it was locked and never looser than what fails. The error says what it is
 * instead.
 */
export function readWarning(
  jobs: readonly AcceptanceJobSpec[],
  text: unknown,
): Result<{ readonly metric: string; readonly warn: NonNullable<Metric["warn"]> }, string> {
  const [, name = "", limit = ""] = /^([^:]+):(.*)$/.exec(typeof text === "string" ? text : "") ?? [];
  if (name === "") return err(`"${String(text)}" names no acceptance job: write it as "nccl-h100: busbw > 92%"`);
  const parsed = parseLimit(limit.trim());
  if (!parsed.ok) return err(parsed.error);
  const wanted = limitOf(parsed.value.expectation);
  const job = jobs.find((j) => j.name === name.trim() || `${j.name}@${j.version}` === name.trim());
  const metric = job?.metrics.find((m) => m.name === parsed.value.name);
  if (job === undefined) return err(`no locked acceptance job is called "${name.trim()}"`);
  const warn = metric === undefined || metric.warn === null ? null : limitOf(metric.warn);
  const fail = metric === undefined ? null : limitOf(metric.fail);
  if (metric === undefined || warn === null || fail === null || wanted === null)
    return err(`${job.name} has no warning limit for "${parsed.value.name}"`);
  if (!isStricter(wanted, warn)) return err(`"${limit.trim()}" is no looser warning than the one that is locked`);
  if (!isStricter(fail, wanted)) return err(`"${limit.trim()}" would not warn before ${job.name} fails`);
  return ok({ metric: metric.name, warn: parsed.value.expectation });
}
