import { z } from "zod";
import { summariseRows } from "@/lib/core/check/compare-rows";
import type { Reading } from "@/lib/core/check/reading";

/** Median, spread and count per metric, message size and placement. JSON column `baselines.summary`. */
export const BaselineSummary = z.strictObject({
  rows: z.array(
    z.strictObject({
      metric: z.string(),
      bucket: z.number(),
      placement: z.string(),
      unit: z.string(),
      median: z.number(),
      spread: z.number(),
      runs: z.number(),
      values: z.array(z.number()),
    }),
  ),
  conditions: z.record(z.string(), z.string()),
  versions: z.record(z.string(), z.string()),
});
export type BaselineSummary = z.infer<typeof BaselineSummary>;

export type Baseline = {
  readonly id: string;
  readonly jobId: string;
  readonly classId: number;
  readonly changeId: string | null;
  readonly summary: BaselineSummary;
  readonly inputSha: string;
  readonly appVersion: string;
  readonly capturedAt: Date;
  readonly retiredAt: Date | null;
};

/** A raw output as a baseline, or why it is none: only a whole, correct run measures anything (R3.3). */
export function summarise(reading: Reading): BaselineSummary | string {
  if (reading.understood !== "complete") return reading.problems[0]?.because ?? "it is not whole";
  const problem = reading.problems[0];
  if (problem) return problem.because;
  if (reading.measurements.length === 0) return "it holds no measurement";
  if (reading.wrongValues !== null && reading.wrongValues > 0) return `it holds ${reading.wrongValues} wrong values`;
  const rows = summariseRows(reading.measurements).map((row) => ({ ...row, values: [...row.values] }));
  return { rows, conditions: reading.conditions, versions: reading.versions };
}
