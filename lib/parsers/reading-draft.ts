import type { Reading } from "@/lib/core/check/reading";
import type { VerdictReason } from "@/lib/core/check/verdict";

const MAX_NOISE = 50;
const MAX_ENTRIES = 100_000;

/** A reading while it is being written: a parser fills it from top to bottom and returns it. */
export type Draft = Reading;

export const newDraft = (parser: string): Draft => ({
  parser,
  versions: {},
  understood: "complete",
  problems: [],
  statements: [],
  values: [],
  measurements: [],
  conditions: {},
  wrongValues: null,
  noise: { count: 0, lines: [] },
  notes: [],
});

/** Whole output refused or foreign: nothing of it may be used. */
export const notThisFormat = (parser: string, because: string): Reading => ({
  ...newDraft(parser),
  understood: "not_this_format",
  problems: [{ reason: "no_data", entity: null, because }],
});

export function addProblem(draft: Draft, reason: VerdictReason, because: string, entity: string | null = null): void {
  if (draft.problems.length < 1000) draft.problems.push({ reason, entity, because: because.slice(0, 500) });
}

/** What was read stays, but it is not the whole output. */
export function cut(draft: Draft, because: string): void {
  draft.understood = draft.understood === "complete" ? "partial" : draft.understood;
  addProblem(draft, "truncated", because);
}

export function addNoise(draft: Draft, line: string): void {
  draft.noise.count++;
  if (draft.noise.lines.length < MAX_NOISE) draft.noise.lines.push(line.slice(0, 300));
}

/** unit "text": the value is a text (a version, a name). unit "no value": the tool printed that it has none. */
export function addText(draft: Draft, name: string, entity: string, text: string, unit: "text" | "no value" | "local time" = "text"): void {
  if (draft.values.length < MAX_ENTRIES) draft.values.push({ name, entity, value: null, text: text.slice(0, 500), unit });
}

export function addNumber(draft: Draft, name: string, entity: string, value: number, shown: { text: string; unit: string }): void {
  if (draft.values.length < MAX_ENTRIES) draft.values.push({ name, entity, value, text: shown.text, unit: shown.unit });
}

export function addMeasurement(draft: Draft, metric: string, at: { bucket: number; placement: string }, value: number, unit: string): void {
  if (draft.measurements.length < MAX_ENTRIES) draft.measurements.push({ metric, ...at, value, unit });
}
