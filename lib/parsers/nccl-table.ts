import { addMeasurement, addNumber, addProblem, addText, cut, type Draft } from "./reading-draft";

export type Placement = "out-of-place" | "in-place";
/** One half of one row. `wrong`: values its validation found wrong; null where it did not validate; "deviation" where the column of that era is another thing. */
export type Half = {
  readonly placement: Placement;
  readonly time: number;
  readonly algbw: number;
  readonly busbw: number;
  readonly wrong: number | null | "deviation";
};
export type Row = { readonly size: number; readonly type: string; readonly redop: string; readonly halves: readonly Half[] };

/** Everything text and JSON say alike; what neither says stays null. */
export type Table = {
  rows: Row[];
  ranks: number | null;
  hosts: Set<string>;
  gpus: Set<string>;
  collective: string | null;
  validation: number | null;
  sizes: { from: number; to: number; step: number; by: "factor" | "bytes" } | null;
  iterations: string | null;
  timing: "gpu" | "cpu";
  outOfBounds: { count: number; ok: boolean } | null;
  average: { value: number; ok: boolean } | null;
};

export const newTable = (): Table => ({
  rows: [],
  ranks: null,
  hosts: new Set(),
  gpus: new Set(),
  collective: null,
  validation: null,
  sizes: null,
  iterations: null,
  timing: "gpu",
  outOfBounds: null,
  average: null,
});

/** Fills conditions, measurements, correctness and the checks on completeness that both forms share. */
export function finishTable(draft: Draft, table: Table): void {
  const { conditions } = draft;
  if (table.ranks !== null) conditions["ranks"] = String(table.ranks);
  if (table.hosts.size > 0) conditions["hosts"] = String(table.hosts.size);
  if (table.gpus.size > 0) conditions["gpu"] = [...table.gpus].sort().join(" + ").slice(0, 300);
  if (table.collective !== null) conditions["collective"] = table.collective;
  if (table.timing === "cpu") conditions["timing"] = "cpu";
  if (table.rows.length > 0) {
    conditions["type"] = [...new Set(table.rows.map((row) => row.type))].join(",").slice(0, 300);
    conditions["redop"] = [...new Set(table.rows.map((row) => row.redop))].join(",").slice(0, 300);
    conditions["sizes"] = table.rows.map((row) => row.size).join(",");
  }
  if (table.iterations !== null) addText(draft, "iterations", "run", table.iterations);
  if (table.validation !== null) addNumber(draft, "validation", "run", table.validation, { text: String(table.validation), unit: "" });
  measure(draft, table);
  judgeCompleteness(draft, table);
  readCorrectness(draft, table);
}

function measure(draft: Draft, table: Table): void {
  let peak = 0;
  for (const row of table.rows)
    for (const half of row.halves) {
      const at = { bucket: row.size, placement: half.placement };
      const numbers = [half.time, half.algbw, half.busbw];
      if (numbers.some((value) => !Number.isFinite(value) || value < 0)) {
        addProblem(
          draft,
          "not_a_number",
          `${row.size}-byte ${half.placement} row holds a value that is not a number`,
          `${row.size}-byte ${half.placement} row`,
        );
        continue;
      }
      addMeasurement(draft, "busbw", at, half.busbw, "GB/s");
      addMeasurement(draft, "algbw", at, half.algbw, "GB/s");
      addMeasurement(draft, "time", at, half.time, "us");
      peak = Math.max(peak, half.busbw);
    }
  if (peak > 0) addNumber(draft, "peak_busbw", "run", peak, { text: String(peak), unit: "GB/s" });
  const average = table.average?.value;
  if (average !== undefined && Number.isFinite(average) && table.rows.length > 0)
    addNumber(draft, "average_busbw", "run", average, { text: String(average), unit: "GB/s" });
}

function judgeCompleteness(draft: Draft, table: Table): void {
  const { rows, sizes } = table;
  if (rows.length === 0) addProblem(draft, "no_data", "no result rows");
  const seen = new Set<number>();
  for (const row of rows) {
    if (seen.has(row.size)) addProblem(draft, "sources_disagree", `size ${row.size} stands in more than one row`);
    seen.add(row.size);
  }
  const due = sizes === null ? null : dueRows(sizes);
  if (due !== null && rows.length > 0 && rows.length < due) cut(draft, `${rows.length} of ${due} sizes measured`);
  if (table.average !== null && !table.average.ok)
    addProblem(draft, "beyond_limit", "the run's own minimum for the average bandwidth was missed");
  if (table.ranks === null && rows.length > 0) draft.notes.push("the list of devices is missing or cut: number of ranks unknown");
}

/** How many sizes the parameters ask for; null where they make no sense. */
function dueRows({ from, to, step, by }: NonNullable<Table["sizes"]>): number | null {
  if (!(from > 0) || to < from) return null;
  if (from === to) return 1;
  if (by === "bytes") return step > 0 ? Math.min(100_000, Math.floor((to - from) / step) + 1) : null;
  return step > 1 ? Math.floor(Math.log(to / from) / Math.log(step) + 1e-9) + 1 : null;
}

/** "0 OK" is printed with validation off too: only rows that were validated, or a validated run's count, say that nothing is wrong. */
function readCorrectness(draft: Draft, table: Table): void {
  const halves = table.rows.flatMap((row) => row.halves.map((half) => ({ row, half })));
  let counted = 0;
  for (const { row, half } of halves)
    if (typeof half.wrong === "number" && half.wrong !== 0) {
      counted += Number.isFinite(half.wrong) ? half.wrong : 1;
      const entity = `${row.size}-byte ${half.placement} row`;
      draft.statements.push({ test: "validation", entity, says: "fail", because: `${half.wrong} wrong values in ${entity}` });
    }
  const footer = table.outOfBounds;
  if (counted === 0 && footer !== null && (footer.count !== 0 || !footer.ok)) {
    counted = footer.count || 1;
    draft.statements.push({ test: "validation", entity: "run", says: "fail", because: `${footer.count} values out of bounds` });
  }
  const unchecked = table.validation === 0 || halves.length === 0 || halves.some(({ half }) => half.wrong === null);
  const known = halves.every(({ half }) => typeof half.wrong === "number") || (table.validation !== null && footer !== null);
  if (counted > 0) draft.wrongValues = counted;
  else draft.wrongValues = unchecked || !known || draft.understood !== "complete" ? null : 0;
  if (table.validation === 0 || (halves.length > 0 && unchecked))
    draft.notes.push("validation was switched off: nothing is known about correctness");
}
