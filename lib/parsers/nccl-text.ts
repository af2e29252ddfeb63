import type { Reading } from "@/lib/core/check/reading";
import { splitLines } from "./input-limits";
import { readHeader, readRow, type Header } from "./nccl-row";
import { finishTable, newTable, type Table } from "./nccl-table";
import { ncclVersion } from "./nccl-version";
import { addNoise, addProblem, cut, newDraft, notThisFormat, type Draft } from "./reading-draft";

const PREFIX = /^(?:\[[^\]\s]{1,120}\]<std(?:out|err)>: ?|\d{1,6}: )/;
const FAILED = /Test NCCL failure|Test CUDA failure|: Test failure |Test timeout \(/;

type State = {
  readonly draft: Draft;
  readonly table: Table;
  header: Header | null;
  headers: number;
  footers: number;
  started: boolean;
  concluded: boolean;
  failed: boolean;
  devicesCut: boolean;
  readonly ranks: Set<string>;
};

/** Text of `all_reduce_perf` and relatives, 2.0 to 2.19, with or without a launcher's rank prefix. */
export function readNcclText(text: string): Reading {
  const split = splitLines(text);
  if (!split.ok) return notThisFormat("nccl-tests", split.error);
  const state: State = {
    draft: newDraft("nccl-tests"),
    table: newTable(),
    header: null,
    headers: 0,
    footers: 0,
    started: false,
    concluded: false,
    failed: false,
    devicesCut: false,
    ranks: new Set(),
  };
  const { lines, closed } = split.value;
  // A prefix is the launcher's only where the header line carries it too.
  const prefixed = lines.some((line) => PREFIX.test(line) && readHeader(line.replace(PREFIX, "")) !== null);
  for (const [index, line] of lines.entries()) {
    if (index === lines.length - 1 && !closed && line.trim() !== "" && line.trim() !== "#") {
      // The cut may sit inside a number: a last line without its newline is not used.
      addNoise(state.draft, line);
      cut(state.draft, `line ${index + 1} is cut`);
    } else readLine(state, prefixed ? line.replace(PREFIX, "") : line, index + 1);
  }
  return finish(state);
}

function readLine(state: State, line: string, number: number): void {
  const { draft, table } = state;
  if (line.startsWith("#")) return readComment(state, line);
  if (line.trim() === "") return;
  const banner = /^NCCL version (\d+\.\d+\.\d+)/.exec(line);
  if (banner?.[1]) {
    if (draft.versions["nccl"] !== undefined && draft.versions["nccl"] !== banner[1])
      draft.notes.push(`two NCCL versions are named: ${draft.versions["nccl"]} and ${banner[1]}`);
    draft.versions["nccl"] = banner[1];
    return;
  }
  if (/^\s*\d+\s+\d+\s+[a-z]\w*\s/.test(line)) {
    const row = state.header === null ? "stands before the header" : readRow(line, state.header);
    if (typeof row !== "string") table.rows.push(row);
    else {
      addNoise(draft, line);
      cut(draft, `line ${number} ${row}`);
    }
    return;
  }
  addNoise(draft, line);
  const missing = /Invalid number of GPUs: (\d+) requested but only (\d+) were found/.exec(line);
  if (missing) {
    draft.understood = "did_not_run";
    addProblem(draft, "too_few", `${missing[2]} of ${missing[1]} GPUs were found: the test did not run`);
  }
  if (FAILED.test(line)) state.failed = true;
}

function readComment(state: State, line: string): void {
  const { draft, table } = state;
  const header = readHeader(line);
  if (header !== null) {
    state.header = header;
    state.headers++;
    table.timing = header.timing;
    return;
  }
  if (/^#\s*$|^#\s+Using devices|^#\s+out-of-place|^#\s+in-place|^#\s+\(B\)/.test(line)) return;
  if (readBanner(state, line) || readDevice(state, line) || readFooter(state, line)) return;
  addNoise(draft, line);
  if (/^#\s*Reducing maxBytes/.test(line))
    addProblem(draft, "not_comparable", "the range of sizes was reduced by the tool for lack of memory");
  if (/^#\s*error:/i.test(line)) addProblem(draft, "tool_error", line.replace(/^#\s*/, ""));
}

function readBanner(state: State, line: string): boolean {
  const { draft, table } = state;
  const versions = /^# nccl-tests version (\S+) nccl-headers=(\d+) nccl-library=(\d+)/.exec(line);
  if (versions) {
    const [, tests = "", headers = "", library = ""] = versions;
    draft.versions["nccl-tests"] = tests.slice(0, 40);
    draft.versions["nccl"] ??= ncclVersion(Number(library));
    if (headers !== library)
      draft.notes.push(`built against NCCL ${ncclVersion(Number(headers))} but loads ${ncclVersion(Number(library))}`);
    return true;
  }
  const test = /^# Collective test (starting|concluded): (\S+)/.exec(line);
  if (test) {
    if (test[1] === "starting") state.started = true;
    else state.concluded = true;
    table.collective ??= (test[2] ?? "").slice(0, 80);
    return true;
  }
  const sizes = /^#\s*nThread \d+ .*minBytes (\d+) maxBytes (\d+) step: (\d+)\((factor|bytes)\)/.exec(line);
  if (!sizes) return false;
  const [, from, to, step, by] = sizes;
  table.sizes = { from: Number(from), to: Number(to), step: Number(step), by: by === "bytes" ? "bytes" : "factor" };
  table.iterations = /warmup iters: \d+ iters: \d+(?: agg iters: \d+)?/.exec(line)?.[0] ?? null;
  const validation = /\bvalidation: (\d+)/.exec(line)?.[1];
  table.validation = validation === undefined ? null : Number(validation);
  return true;
}

function readDevice(state: State, line: string): boolean {
  const device = /^#\s+Rank\s+(\d+)\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+\d+\s+\[[^\]]*\]\s*(.*)$/.exec(line);
  if (device) {
    const [, rank = "", host = "", model = ""] = device;
    state.ranks.add(rank);
    state.table.hosts.add(host);
    if (model.trim() !== "") state.table.gpus.add(model.trim());
    if (line.trimEnd().endsWith("...")) state.devicesCut = true;
    return true;
  }
  if (!/^#\s+Rank\b/.test(line) && !/^#?\s*\.\.\.\s*$/.test(line)) return false;
  state.devicesCut = true;
  return true;
}

function readFooter(state: State, line: string): boolean {
  const { table } = state;
  const bounds = /^# Out of bounds values : (\d+) (OK|FAILED)/.exec(line);
  if (bounds) {
    state.footers++;
    table.outOfBounds = { count: Number(bounds[1]), ok: bounds[2] === "OK" };
    return true;
  }
  const average = /^# Avg bus bandwidth\s*: (\S+)\s*(OK|FAILED)?/.exec(line);
  if (average) {
    table.average = { value: Number(average[1]), ok: average[2] !== "FAILED" };
    return true;
  }
  return /^# GPU memory usage/.test(line);
}

function finish(state: State): Reading {
  const { draft, table } = state;
  const foreign = state.headers === 0 && state.ranks.size === 0 && !state.started && table.sizes === null && !state.failed;
  if (foreign && draft.understood === "complete")
    return { ...notThisFormat("nccl-tests", "this is no output of nccl-tests"), noise: draft.noise };
  if (state.headers > 1 || state.footers > 1) addProblem(draft, "sources_disagree", "the output holds more than one run");
  if (!state.devicesCut && state.ranks.size > 0) table.ranks = state.ranks.size;
  const footer = table.outOfBounds !== null && table.average !== null && (!state.started || state.concluded);
  if (draft.understood !== "did_not_run") {
    if (!footer) cut(draft, state.failed ? "no footer, test failure reported" : "no footer: the output is cut or the test was ended");
    else if (state.failed) addProblem(draft, "tool_error", "test failure reported");
  }
  finishTable(draft, table);
  return draft;
}
