import type { BaselineSummary } from "@/lib/core/acceptance/baseline";
import type { RunContext, RunMeasurement } from "@/lib/core/acceptance/run";
import { summariseRows } from "@/lib/core/check/compare-rows";

type SummarisedRun = { readonly context: RunContext; readonly measurements: readonly RunMeasurement[] };

/** The numbers of all runs together; conditions and versions are those of the first, which the others have been held against. */
export function summaryOf(runs: readonly SummarisedRun[]): BaselineSummary {
  const context = runs[0]?.context;
  return {
    rows: summariseRows(runs.flatMap((run) => run.measurements)).map((row) => ({ ...row, values: [...row.values] })),
    conditions: { ranks: String(context?.ranks ?? ""), sizes: (context?.sizes ?? []).join(",") },
    versions: context?.versions ?? {},
  };
}
