import { FIELD_TRAITS, type Epochs, type Known, type ObservedField, type Observed, type UnknownBecause } from "./observation";

/**
 * The value that counts for a decision now: newest row per source, in the subject's present epoch, younger than `maxAgeMs` and readable (R1.11).
 * A required source that says nothing usable makes the answer unknown, never outvoted by one that talks; sources that disagree are unknown (R1.3).
 * Rows of other fields are ignored; the caller passes rows of one subject and one component.
 */
export function latestValid(
  seen: readonly Observed[],
  required: readonly string[],
  epochs: Epochs,
  field: ObservedField,
  now: Date,
  maxAgeMs: number = FIELD_TRAITS[field].maxAgeMs,
): Known<string> {
  const newest = newestPerSource(seen.filter((row) => row.field === field));
  const unknown = (because: UnknownBecause): Known<string> => ({ is: "unknown", because, last: newest });
  const judged = newest.map((row) => ({ row, wrong: whyNot(row, epochs, field, now, maxAgeMs) }));
  for (const source of required) {
    const spoke = judged.find((j) => j.row.source === source);
    if (spoke === undefined) return unknown("never_observed");
    if (spoke.wrong !== null) return unknown(spoke.wrong);
  }
  const good = judged.filter((j) => j.wrong === null).map((j) => j.row);
  const first = good[0];
  if (first === undefined || first.text === null) return unknown(judged[0]?.wrong ?? "never_observed");
  if (good.some((row) => row.text !== first.text)) return unknown("sources_disagree");
  const confirmed = Math.max(...good.map((row) => row.confirmedAt.getTime()));
  return {
    is: "value",
    value: first.text,
    cites: good.map((row) => row.id),
    at: new Date(confirmed),
    sources: good.map((row) => row.source),
  };
}

function newestPerSource(rows: readonly Observed[]): readonly Observed[] {
  const bySource = new Map<string, Observed>();
  for (const row of rows) {
    const other = bySource.get(row.source);
    if (other === undefined || isNewer(row, other)) bySource.set(row.source, row);
  }
  return [...bySource.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1));
}

const isNewer = (a: Observed, b: Observed): boolean =>
  a.observedAt.getTime() !== b.observedAt.getTime() ? a.observedAt > b.observedAt : a.id > b.id;

function whyNot(row: Observed, epochs: Epochs, field: ObservedField, now: Date, maxAgeMs: number): UnknownBecause | null {
  const kind = FIELD_TRAITS[field].epoch;
  if (kind === "host" && row.epochs.host !== epochs.host) return "before_reboot";
  if (kind === "model" && row.epochs.model !== epochs.model) return "before_model_change";
  if (row.kind === "absent") return "absent";
  if (row.kind === "unreadable" || row.text === null || row.text.trim() === "") return "unreadable";
  return now.getTime() - row.confirmedAt.getTime() >= maxAgeMs ? "too_old" : null;
}
