import { figureText } from "@/lib/core/kernel/figure-text";
import { isBeyond, sayLimit, type Limit } from "./limit";
import { median, spread } from "./statistics";

/** Rows below this size are shown and never decide (R3.4): small messages measure latency. */
const DECIDES_FROM = 512 * 1024 * 1024;

export type Measurement = {
  readonly metric: string;
  readonly bucket: number;
  readonly placement: string;
  readonly value: number;
  readonly unit: string;
};
export type SummaryRow = Omit<Measurement, "value"> & {
  readonly median: number;
  readonly spread: number;
  readonly runs: number;
  readonly values: readonly number[];
};
/** `ratioPct` and `limit` null: the row has no partner in the baseline. */
export type RowComparison = {
  readonly row: SummaryRow;
  readonly baseline: SummaryRow | null;
  readonly ratioPct: number | null;
  readonly judged: boolean;
  readonly onLimit: boolean;
  readonly verdict: "pass" | "warning" | "fail" | "unresolved";
  readonly because: string;
};

/** One row per metric, message size and placement over all runs: median, spread and count. */
export function summariseRows(measurements: readonly Measurement[]): readonly SummaryRow[] {
  const byRow = new Map<string, { readonly of: Measurement; readonly values: number[] }>();
  for (const measurement of measurements) {
    const key = JSON.stringify([measurement.metric, measurement.bucket, measurement.placement, measurement.unit]);
    const entry = byRow.get(key) ?? { of: measurement, values: [] };
    entry.values.push(measurement.value);
    byRow.set(key, entry);
  }
  return [...byRow.values()].map(({ of: { metric, bucket, placement, unit }, values }) => ({
    metric,
    bucket,
    placement,
    unit,
    median: median(values),
    spread: spread(values),
    runs: values.length,
    values,
  }));
}

/**
 * Every row of one metric against the same row of the baseline. Rows at or above 512 MiB decide, or the largest size measured where all are smaller; the
 * others are shown. A row without a partner cannot be compared, and a partner that was not measured again is a missing row.
 */
export function compareRows(
  metric: string,
  measured: readonly SummaryRow[],
  baseline: readonly SummaryRow[],
  limits: { readonly fail: Limit; readonly warn: Limit | null },
): readonly RowComparison[] {
  const ours = measured.filter((row) => row.metric === metric);
  const largest = ours.reduce((size, row) => Math.max(size, row.bucket), 0);
  const decides = (row: SummaryRow) => row.bucket === 0 || row.bucket >= Math.min(DECIDES_FROM, largest);
  return ours.map((row) => {
    const partner = baseline.find((other) => isSameRow(row, other)) ?? null;
    return compareRow(row, partner, decides(row), limits);
  });
}

const isSameRow = (a: SummaryRow, b: SummaryRow): boolean =>
  a.metric === b.metric && a.bucket === b.bucket && a.placement === b.placement && a.unit === b.unit;

/** "8589934592-byte in-place row", "row" where there is neither size nor placement. */
export const nameRow = ({ bucket, placement }: Pick<Measurement, "bucket" | "placement">): string =>
  [bucket === 0 ? "" : `${bucket}-byte`, placement, "row"].filter((word) => word !== "").join(" ");

/** The row that speaks for its metric: a failing one, else one that cannot be judged, else the nearest to its limit. */
export function worstRow(rows: readonly RowComparison[]): RowComparison | null {
  const judged = rows.filter((row) => row.judged);
  for (const verdict of ["fail", "unresolved", "warning", "pass"] as const) {
    const some = judged.filter((row) => row.verdict === verdict);
    if (some.length > 0) return some.reduce((a, b) => ((b.ratioPct ?? b.row.median) < (a.ratioPct ?? a.row.median) ? b : a));
  }
  return null;
}

function compareRow(
  row: SummaryRow,
  baseline: SummaryRow | null,
  judged: boolean,
  { fail, warn }: { readonly fail: Limit; readonly warn: Limit | null },
): RowComparison {
  const base = baseline === null ? null : baseline.median;
  const ratioPct = base !== null && base > 0 ? (row.median / base) * 100 : null;
  const value = `${row.metric} ${figureText(row.median)} ${row.unit} in the ${nameRow(row)}`;
  const share =
    ratioPct === null || base === null
      ? value
      : `${value} is ${ratioPct.toFixed(2)} % of the baseline's ${figureText(base)} ${row.unit} (ratio ${(ratioPct / 100).toFixed(3)})`;
  const measured = Number.isFinite(row.median) ? isBeyond(row.median, fail, base) : null;
  const common = { row, baseline, ratioPct, judged };
  if (measured === null) return { ...common, onLimit: false, verdict: "unresolved", because: `${value} has no partner in the baseline` };
  if (!measured.holds)
    return {
      ...common,
      onLimit: measured.onLimit,
      verdict: "fail",
      because: `${share}, ${measured.onLimit ? "exactly on the limit" : "not"} ${sayLimit(fail)}`,
    };
  const warned = warn === null ? null : isBeyond(row.median, warn, base);
  if (warn !== null && warned !== null && !warned.holds)
    return { ...common, onLimit: false, verdict: "warning", because: `${share}, ${sayLimit(fail)} but not ${sayLimit(warn)}` };
  return { ...common, onLimit: false, verdict: "pass", because: `${share}, ${sayLimit(fail)}` };
}
