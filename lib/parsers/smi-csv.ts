import type { Reading } from "@/lib/core/check/reading";
import { splitLines } from "./input-limits";
import { addNoise, addNumber, addProblem, cut, newDraft, notThisFormat, type Draft } from "./reading-draft";
import { readSmiError } from "./smi-errors";
import { addSmiValue, judgeLinkWidths } from "./smi-value";

type Column = { readonly name: string; readonly unit: string | null };

const HEADER_CELL = /^([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)(?: \[([^\]]+)\])?$/;
const DRIVER_VERSION = /^\d{3}\.\d{1,3}(\.\d{1,3})?$/;
const WARNING = /^WARNING: /;

/** `nvidia-smi --query-gpu=... --format=csv`, with units or not, with header or not. Without a header the order of fields stood only in the command. */
export function readSmiCsv(text: string): Reading {
  const split = splitLines(text);
  if (!split.ok) return notThisFormat("nvidia-smi", split.error);
  const draft = newDraft("nvidia-smi");
  const lines = split.value.lines.filter((line) => line.trim() !== "");
  if (readSmiError(draft, lines)) return draft;
  const rows = lines.filter((line) => !WARNING.test(line));
  for (const line of lines.filter((other) => WARNING.test(other))) {
    addNoise(draft, line);
    addProblem(draft, "warned", line.trim());
  }
  if (rows.length > 0 && !split.value.closed) {
    addNoise(draft, rows.pop() ?? "");
    cut(draft, "the last line is cut");
  }
  const first = rows[0];
  if (first === undefined) {
    addProblem(draft, "no_data", "no rows");
    return draft;
  }
  const cells = cellsOf(first);
  const header = cells.every((cell) => HEADER_CELL.test(cell));
  const data = header ? rows.slice(1) : rows;
  const columns = header ? cells.map(columnOf) : guessColumns(data);
  if (!header && columns.length > 1 && !data.some((row) => /\d/.test(row)))
    return notThisFormat("nvidia-smi", "this is no output of nvidia-smi");
  if (!header && data.some((row) => /^###|^[[{<]/.test(row.trim()) && !/^\[[A-Z]/.test(row.trim())))
    return { ...notThisFormat("nvidia-smi", "this is no output of nvidia-smi"), noise: draft.noise };
  readRows(draft, columns, data);
  return draft;
}

function readRows(draft: Draft, columns: readonly Column[], rows: readonly string[]): void {
  if (rows.length === 0) addProblem(draft, "no_data", "a header and no rows");
  const indexAt = columns.findIndex((column) => column.name === "index");
  const uuidAt = columns.findIndex((column) => /^(gpu_)?uuid$/.test(column.name));
  const entities = new Set<string>();
  const uuids = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const cells = cellsOf(row);
    if (cells.length !== columns.length) {
      addNoise(draft, row);
      cut(draft, `row ${at + 1} has ${cells.length} columns where ${columns.length} stand`);
      continue;
    }
    const index = indexAt < 0 ? String(at) : (cells[indexAt] ?? "");
    const entity = `gpu ${index}`;
    if (entities.has(entity)) addProblem(draft, "sources_disagree", `${entity} stands in more than one row`, entity);
    entities.add(entity);
    const uuid = cells[uuidAt];
    if (uuid !== undefined && /^GPU-/.test(uuid)) {
      if (uuids.has(uuid)) addProblem(draft, "too_few", `two rows share one UUID (${entity})`, entity);
      uuids.add(uuid);
    }
    for (const [c, column] of columns.entries())
      addSmiValue(draft, column.name, entity, { text: cells[c] ?? "", unit: column.unit, asked: true });
  }
  addNumber(draft, "gpus", "run", entities.size, { text: [...entities].map((entity) => entity.slice(4)).join(","), unit: "" });
  judgeLinkWidths(draft);
}

/** Only one thing can be told without a header: a single column of driver versions. */
function guessColumns(rows: readonly string[]): readonly Column[] {
  const width = Math.max(0, ...rows.slice(0, 1).map((row) => cellsOf(row).length));
  if (width === 1) {
    const versions = rows.filter((row) => !/^\[.*\]$/.test(row.trim()));
    const isDriver = versions.length > 0 && versions.every((row) => DRIVER_VERSION.test(row.trim()));
    return [{ name: isDriver ? "driver_version" : "value", unit: null }];
  }
  return Array.from({ length: width }, (_, at) => ({ name: `column ${at + 1}`, unit: null }));
}

const cellsOf = (line: string): string[] => line.split(",").map((cell) => cell.trim());

function columnOf(cell: string): Column {
  const parts = HEADER_CELL.exec(cell);
  return { name: (parts?.[1] ?? cell).slice(0, 100), unit: parts?.[2] ?? null };
}
