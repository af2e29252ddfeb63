import { differingConditions, undeclaredChanges, type Undeclared } from "@/lib/core/check/comparable";
import { compareRows, summariseRows, type RowComparison } from "@/lib/core/check/compare-rows";
import { limitOf, type Limit } from "@/lib/core/check/limit";
import type { BaselineSummary } from "./baseline";
import type { AcceptanceJobSpec } from "./job";
import type { MetricComparison } from "./report";
import type { Run } from "./run";

export type ComparedRuns = {
  readonly metrics: readonly MetricComparison[];
  /** Rows of `metrics`, with the words and the closeness that the report does not keep. */ readonly rows: readonly RowComparison[];
  /** Conditions that differ; empty: comparable. */ readonly differing: readonly string[];
  /** Metrics whose limit cannot be judged: not measured, or the job names no limit. */ readonly unjudged: readonly string[];
  readonly undeclared: readonly Undeclared[];
};

/**
 * Runs against a baseline, per metric, message size and placement: the median of all repeats against the baseline's median of the same row (R3.4).
 * `declared`: names of versions that the plan itself changes.
 */
export function compareRuns(
  runs: readonly Run[],
  baseline: BaselineSummary,
  metrics: AcceptanceJobSpec["metrics"],
  declared: readonly string[] = [],
): ComparedRuns {
  const measured = summariseRows(runs.flatMap((run) => run.measurements));
  const differing = runs.flatMap((run) => differingConditions(conditionsOf(run), baseline.conditions));
  const versions = runs.map((run) => run.context.versions);
  const unjudged: string[] = [];
  const rows = metrics.flatMap((metric) => {
    const fail = limitOf(metric.fail);
    const compared =
      fail === null
        ? []
        : compareRows(metric.name, measured, baseline.rows, { fail, warn: metric.warn === null ? null : limitOf(metric.warn) });
    if (!compared.some((row) => row.judged)) unjudged.push(metric.name);
    return compared;
  });
  const limits = new Map(
    metrics.map((metric) => [metric.name, { fail: limitOf(metric.fail), warn: metric.warn === null ? null : limitOf(metric.warn) }]),
  );
  const undeclared = versions.flatMap((own) => undeclaredChanges(own, baseline.versions, declared));
  return {
    metrics: rows.map((row) => toComparison(row, limits.get(row.row.metric) ?? { fail: null, warn: null })),
    rows,
    differing: [...new Set(differing)],
    unjudged,
    undeclared: undeclared.filter(
      (one, at) => undeclared.findIndex((other) => other.what === one.what && other.after === one.after) === at,
    ),
  };
}

/** The same two conditions by which a captured baseline is kept; sizes are those of the run's own numbers. */
const conditionsOf = (run: Run): Readonly<Record<string, string>> => ({
  ranks: String(run.context.ranks ?? ""),
  sizes: run.context.sizes.join(","),
});

const NOTHING = { median: 0, spread: 0, runs: 0 };

function toComparison(compared: RowComparison, limits: { readonly fail: Limit | null; readonly warn: Limit | null }): MetricComparison {
  const { row, baseline, ratioPct, judged, verdict } = compared;
  const { metric, bucket, placement, unit } = row;
  return {
    metric,
    bucket,
    placement,
    unit,
    baseline: baseline === null ? NOTHING : { median: baseline.median, spread: baseline.spread, runs: baseline.runs },
    measured: { median: row.median, spread: row.spread, runs: row.runs },
    ratioPct: ratioPct ?? 0,
    warnBelowPct: percentOf(limits.warn, baseline?.median ?? null),
    failAtOrBelowPct: percentOf(limits.fail, baseline?.median ?? null),
    judged,
    verdict,
  };
}

/** A limit as a share of the baseline; 0 where there is none to take a share of. */
function percentOf(limit: Limit | null, baseline: number | null): number {
  if (limit === null) return 0;
  if ("percentOfBaseline" in limit.bound) return limit.bound.percentOfBaseline;
  return baseline !== null && baseline > 0 ? (limit.bound.value / baseline) * 100 : 0;
}
