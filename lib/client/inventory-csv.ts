import { csvOf } from "./csv";
import { type InventoryRow } from "./inventory-query";

/** The rows that are shown, with every reported version, for a spreadsheet. */
export function inventoryCsv(cluster: string, rows: readonly InventoryRow[]): string {
  const components = [...new Set(rows.flatMap(({ reported }) => Object.keys(reported)))].sort();
  return csvOf(
    ["cluster", "node", "class", "leaf", "scale set", "service", "reason", "change", "step", "wanted", ...components],
    rows.map((row) => [
      cluster,
      row.name,
      row.class,
      row.leaves === null ? "unknown" : row.leaves.join(" "),
      row.scaleSet ?? "",
      row.service,
      row.reason ?? "",
      row.change ?? "",
      row.step ?? "",
      row.wanted ?? "",
      ...components.map((component) => row.reported[component]?.text ?? "not read"),
    ]),
  );
}
