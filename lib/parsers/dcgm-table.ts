import type { Reading } from "@/lib/core/check/reading";
import { finishResults, testName, type DcgmResult, type DcgmWarning } from "./dcgm-results";
import { splitLines } from "./input-limits";
import { addNoise, addProblem, cut, newDraft, notThisFormat, type Draft } from "./reading-draft";

type Entry = {
  readonly test: string;
  readonly deployment: boolean;
  status: string;
  readonly gpus: Map<string, string>;
  readonly warnings: Map<string, string>;
};
type State = {
  readonly draft: Draft;
  section: string;
  entry: Entry | null;
  warned: string | null;
  readonly entries: Entry[];
  devices: number;
};

/** The printed table of `dcgmi diag`, 3.x ("Fail - GPUs: 1, 2") and 4.x (a row per GPU). */
export function readDcgmTable(text: string): Reading {
  const split = splitLines(text);
  if (!split.ok) return notThisFormat("dcgm-diag", split.error);
  const { lines, closed } = split.value;
  const draft = newDraft("dcgm-diag");
  if (!lines.some((line) => /^\|\s*Diagnostic\s*\|/.test(line))) return didNotRun(draft, lines);
  const state: State = { draft, section: "", entry: null, warned: null, entries: [], devices: 0 };
  for (const line of lines) readLine(state, line);
  const border = lines.find((line) => /^\+-+\+-+\+$/.test(line));
  if (!closed || border === undefined || lines.findLast((line) => line.trim() !== "") !== border) cut(draft, "the table is not closed");
  const known = new Set(Array.from({ length: Math.min(state.devices, 1024) }, (_, index) => `gpu ${index}`));
  finishResults(
    draft,
    state.entries.flatMap((entry) => resultsOf(entry, known)),
    known,
  );
  return draft;
}

/** Without a table the text says why it did not run, even with -j. */
function didNotRun(draft: Draft, lines: readonly string[]): Reading {
  const first = lines.find((line) => line.trim() !== "");
  const error = lines.find((line) => /error|unable|could not|cannot|fail/i.test(line));
  for (const line of lines) addNoise(draft, line);
  if (first !== undefined && error === undefined)
    return { ...notThisFormat("dcgm-diag", "this is no output of dcgmi diag"), noise: draft.noise };
  draft.understood = "did_not_run";
  const code = /\((-\d+)\)/.exec(error ?? "")?.[1];
  addProblem(draft, "tool_error", `diagnostic did not run${code ? ` (DCGM code ${code})` : ""}: ${error?.trim() ?? "no output"}`);
  return draft;
}

function readLine(state: State, line: string): void {
  if (/^\+[-=]+\+[-=]+\+$/.test(line) || line.trim() === "" || /^Successfully ran diagnostic/.test(line)) return;
  const cells = line.trimEnd().split("|");
  const [, left = "", right = ""] = cells.map((cell) => cell.trim());
  if (left.startsWith("-----")) {
    state.section = (left.replace(/\+.*$/, "").match(/[^-\s][^-]*/)?.[0] ?? "").trim();
    state.entry = null;
    return;
  }
  if (cells.length !== 4 || cells[0] !== "" || cells[3] !== "") return addNoise(state.draft, line);
  if (left === "Diagnostic") return;
  if (/^metadata$/i.test(state.section)) readMetadata(state, left, right);
  else if (/^warning/i.test(left)) readWarning(state, left, right);
  else if (left === "") readContinuation(state, right, line);
  else if (/^info/i.test(left)) state.warned = null;
  else readTest(state, left, right);
}

function readMetadata(state: State, left: string, right: string): void {
  if (/^DCGM Version$/i.test(left)) state.draft.versions["dcgm"] = right;
  else if (/^Driver Version Detected$/i.test(left)) state.draft.versions["driver"] = right;
  else if (/^GPU Device IDs/i.test(left) || left === "") state.devices += right.split(",").filter((id) => id.trim() !== "").length;
}

function readTest(state: State, left: string, right: string): void {
  const status = /^(\w+)(?:\s*-\s*(All|GPUs?:\s*([\d,\s]+)))?$/i.exec(right);
  const entry: Entry = {
    test: testName(left),
    deployment: /^deployment$/i.test(state.section),
    status: right,
    gpus: new Map(),
    warnings: new Map(),
  };
  if (status) {
    entry.status = status[1] ?? "";
    for (const id of (status[3] ?? "").split(",")) if (id.trim() !== "") entry.gpus.set(`gpu ${id.trim()}`, entry.status);
  }
  state.entry = entry;
  state.warned = null;
  state.entries.push(entry);
}

function readWarning(state: State, left: string, right: string): void {
  const gpu = /GPU\s*(\d+)/i.exec(left)?.[1] ?? /GPU\s*(\d+)/i.exec(right)?.[1];
  state.warned = gpu === undefined ? "node" : `gpu ${gpu}`;
  const before = state.entry?.warnings.get(state.warned);
  state.entry?.warnings.set(state.warned, before === undefined ? right : `${before}; ${right}`);
}

/** An empty first cell: a GPU's own row, or the wrapped rest of a warning. */
function readContinuation(state: State, right: string, line: string): void {
  const gpu = /^GPU\s*(\d+):\s*(\w+)$/.exec(right);
  if (gpu && state.entry) state.entry.gpus.set(`gpu ${gpu[1]}`, gpu[2] ?? "");
  else if (state.entry && state.warned !== null)
    state.entry.warnings.set(state.warned, `${state.entry.warnings.get(state.warned) ?? ""} ${right}`);
  else addNoise(state.draft, line);
}

function resultsOf(entry: Entry, known: ReadonlySet<string>): DcgmResult[] {
  const { test, deployment } = entry;
  const warningsFor = (entity: string): DcgmWarning[] =>
    [entry.warnings.get(entity), entry.gpus.size === 0 || entity === "node" ? entry.warnings.get("node") : undefined].flatMap((text) =>
      text === undefined ? [] : [{ text, errorId: null }],
    );
  const named = [...entry.gpus].map(([entity, status]) => ({ test, deployment, entity, status, warnings: warningsFor(entity) }));
  // "Fail - GPUs: 1, 2" names only those; a "GPU0: Pass" row names each. What is left out counts as run only in the first form.
  const listsSome = named.length > 0 && named.every((result) => result.status === entry.status) && !/^pass$/i.test(entry.status);
  if (listsSome) {
    const rest = [...known].filter((entity) => !entry.gpus.has(entity));
    return [...named, ...rest.map((entity) => ({ test, deployment, entity, status: "Pass", warnings: warningsFor(entity) }))];
  }
  if (named.length > 0) {
    const overall = /^fail$/i.test(entry.status) && !named.some((result) => /^fail$/i.test(result.status));
    return overall ? [...named, { test, deployment, entity: "node", status: "Fail", warnings: warningsFor("node") }] : named;
  }
  const entities = deployment || known.size === 0 ? [deployment ? "node" : "all"] : [...known];
  return entities.map((entity) => ({ test, deployment, entity, status: entry.status, warnings: warningsFor(entity) }));
}
