import { differingConditions, sayChanged, undeclaredChanges } from "./comparable";
import { compareRows, nameRow, summariseRows, worstRow, type RowComparison, type SummaryRow } from "./compare-rows";
import { judgeValues } from "./expect";
import type { Expectation } from "./expectation";
import { limitOf, sayLimit, type Limit } from "./limit";
import { unresolvedCheck, type ReadingCheck } from "./reading-check";
import { seenNamed } from "./reading-values";
import type { Reading } from "./reading";

/** What a baseline says: `BaselineSummary`, without depending on where it is kept. */
export type BaselineRows = {
  readonly rows: readonly SummaryRow[];
  readonly conditions: Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, string>>;
};

/** Above 95 % is what fabric validation asks for (R3.5): a number between the limits passes with these words. */
const FABRIC: Limit = { word: "above", bound: { percentOfBaseline: 95 } };

/** Numbers of a reading against their limits: a percentage is of the same row of the baseline, and only comparable runs are compared (R3.4). */
export function judgeLimits(
  reading: Reading,
  limits: Readonly<Record<string, Expectation>>,
  baseline: BaselineRows | null,
  declared: readonly string[],
): ReadingCheck[] {
  const undeclared = baseline === null ? [] : undeclaredChanges(reading.versions, baseline.versions, declared);
  const findings = undeclared.map(({ what, before, after }): ReadingCheck => ({
    name: "versions",
    entity: what,
    verdict: "not_judged",
    reason: "not_comparable",
    because: `undeclared change: ${what} ${before} to ${after}`,
  }));
  const asked = Object.entries(limits);
  const shown = asked.some(([name]) => name === "busbw") ? [] : showPeak(reading);
  return [...asked.flatMap(([name, expectation]) => judgeLimit(reading, name, expectation, baseline)), ...shown, ...findings];
}

function judgeLimit(reading: Reading, name: string, expectation: Expectation, baseline: BaselineRows | null): readonly ReadingCheck[] {
  const limit = limitOf(expectation);
  const measured = summariseRows(reading.measurements).filter((row) => row.metric === name);
  if (limit === null || measured.length === 0) {
    const seen = seenNamed(reading, name);
    return judgeValues(name, seen, expectation, { expected: null, before: null }).map((one) => ({ name, ...one }));
  }
  if (reading.wrongValues !== null && reading.wrongValues > 0) {
    const best = measured.reduce((a, b) => (b.median > a.median ? b : a));
    const because = `${name} ${best.median} ${best.unit} is shown and not used: the output is wrong`;
    return [{ name, entity: nameRow(best), verdict: "not_judged", reason: "wrong_output", because }];
  }
  if (reading.understood !== "complete") return [unresolvedCheck(name, "run", "truncated", `${name} is not judged: the run is not whole`)];
  const isShare = "percentOfBaseline" in limit.bound;
  if (isShare && baseline === null)
    return [unresolvedCheck(name, "run", "no_baseline", `${name} must be ${sayLimit(limit)} of a baseline, and there is none`)];
  const differing = baseline === null || !isShare ? [] : differingConditions(reading.conditions, baseline.conditions);
  if (differing.length > 0) {
    const because = `not comparable with the baseline: ${differing.join("; ")}${wayOut(reading, baseline)}`;
    return [unresolvedCheck(name, "run", "not_comparable", because)];
  }
  const rows = compareRows(name, measured, baseline?.rows ?? [], { fail: limit, warn: name === "busbw" && isShare ? FABRIC : null });
  const worst = worstRow(rows);
  if (worst === null) return [unresolvedCheck(name, "run", "no_data", `no row of ${name} decides`)];
  return [checkOf(name, worst, { limit, reading, baseline })];
}

/** A run over several hosts needs a baseline of its own size; a class's usual one is of one node. */
function wayOut({ conditions }: Reading, baseline: BaselineRows | null): string {
  const { ranks, hosts } = conditions;
  const isOther = ranks !== undefined && Number(hosts ?? 1) > 1 && baseline?.conditions["ranks"] !== ranks;
  return isOther ? `; record one with ${ranks} ranks, measured before this change` : "";
}

function checkOf(name: string, worst: RowComparison, on: { limit: Limit; reading: Reading; baseline: BaselineRows | null }): ReadingCheck {
  const { row, baseline } = worst;
  const facts = {
    measured: row.median,
    unit: row.unit,
    limit: sayLimit(on.limit),
    ...(baseline === null ? {} : { baseline: baseline.median }),
  };
  const entity = nameRow(row);
  const changed = on.baseline === null ? "" : sayChanged(on.reading.versions, on.baseline.versions);
  switch (worst.verdict) {
    case "pass":
      return { name, entity, verdict: "pass", reason: "as_expected", because: worst.because, facts };
    case "warning":
      return { name, entity, verdict: "pass", reason: "as_expected", because: `${worst.because}: would fail fabric validation`, facts };
    case "fail":
      return {
        name,
        entity,
        verdict: "fail",
        reason: worst.onLimit ? "on_the_limit" : "beyond_limit",
        because: `${worst.because}${changed ? `; changed since the baseline: ${changed}` : ""}`,
        facts,
      };
    case "unresolved":
      return { ...unresolvedCheck(name, entity, "not_comparable", worst.because), facts };
  }
}

/** Without a limit a bandwidth is shown, not judged, and lowers nothing. */
function showPeak(reading: Reading): readonly ReadingCheck[] {
  const rows = summariseRows(reading.measurements).filter((row) => row.metric === "busbw");
  if (rows.length === 0) return [];
  const peak = rows.reduce((a, b) => (b.median > a.median ? b : a));
  return [
    {
      name: "busbw",
      entity: nameRow(peak),
      verdict: "not_judged",
      reason: "no_baseline",
      because: `busbw ${peak.median} ${peak.unit} is not judged: no limit and baseline`,
    },
  ];
}
