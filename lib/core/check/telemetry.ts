import type { ObservationId } from "@/lib/core/kernel/ids";
import { judgeValues, type Seen, type ValueVerdict } from "./expect";
import { numberFrom } from "./number-text";
import type { SeriesSeen } from "./series";
import type { CheckSpec } from "./spec";
import type { Judged, VerdictReason } from "./verdict";

type TelemetrySpec = Extract<CheckSpec, { kind: "telemetry" }>;
type Sample = SeriesSeen["samples"][number];
/** `bootedAt`: the node's last boot, null where nobody knows; `stepEndedAt`: end of the step that the evidence must be younger than. */
type SeriesContext = { readonly now: Date; readonly bootedAt: Date | null; readonly stepEndedAt: Date | null };

/**
 * Decides what one read of a node's series says (R2.3). May look at the read, the read from before the step, the times. Never passes on an empty, partial,
 * warned, stale, duplicated or impossible answer, and never takes a repeated old value for a new one.
 * Example: 7 of 8 series, all healthy -> unresolved, "7 of 8 GPUs reported, missing index 7".
 */
export function judgeSeries(
  seen: SeriesSeen | null,
  before: SeriesSeen | null,
  spec: TelemetrySpec,
  context: SeriesContext,
): Judged | "waiting" {
  const { now, stepEndedAt } = context;
  if (stepEndedAt !== null && now.getTime() < stepEndedAt.getTime() + spec.settleMs) return "waiting";
  const rests = {
    observations: [seen, before].flatMap((one) => (one?.observationId === undefined ? [] : [one.observationId as ObservationId])),
  };
  const problem = problemOfRead(seen, before, spec, context);
  if (seen === null || problem !== null) {
    const { reason, because } = problem ?? { reason: "no_data" as const, because: "the series was never read" };
    return { verdict: "unresolved", reason, because, facts: { expected: spec.seriesPerNode, seen: seen?.samples.length ?? 0 }, rests };
  }
  const verdicts =
    "absent" in spec.expect ? judgeAbsent(seen) : [...countSeries(seen, before, spec), ...judgeSamples(seen, before, spec, context)];
  const worst = verdicts.find((one) => one.verdict === "fail") ?? verdicts.find((one) => one.verdict === "unresolved");
  const others = verdicts.filter((one) => one.verdict === worst?.verdict).length - 1;
  const facts = { expected: spec.seriesPerNode, seen: seen.samples.length };
  if (worst) return { ...worst, because: others > 0 ? `${worst.because} (and ${others} more)` : worst.because, facts, rests };
  const all = verdicts.length === 1 && verdicts[0] ? verdicts[0].because : `all ${verdicts.length} series are as expected`;
  return { verdict: "pass", reason: "as_expected", because: all, facts, rests };
}

type Problem = { readonly reason: VerdictReason; readonly because: string };

/** What makes the whole read unusable, before any value is looked at. */
function problemOfRead(seen: SeriesSeen | null, before: SeriesSeen | null, spec: TelemetrySpec, context: SeriesContext): Problem | null {
  if (seen === null) return null;
  if (seen.error !== null) return { reason: "tool_error", because: `the read failed: ${seen.error}` };
  if (seen.warnings.length > 0) return { reason: "warned", because: `the answer is partial: ${seen.warnings.slice(0, 3).join("; ")}` };
  const readAt = Date.parse(seen.readAt);
  if (!(context.now.getTime() - readAt <= spec.freshnessMs + spec.settleMs))
    return { reason: "stale", because: `the last read is of ${seen.readAt}` };
  if (seen.up === 0) return { reason: "no_data", because: "the scrape target is down (up is 0)" };
  if ("absent" in spec.expect || seen.samples.length > 0) return null;
  if (before !== null && before.samples.length > 0)
    return { reason: "vanished", because: `the answer is empty: ${before.samples.length} series from before are gone` };
  return { reason: "no_data", because: "the answer is empty: no series at all" };
}

/** Absent and "nobody looked" give the same empty answer: only a target that is up makes it a statement. */
function judgeAbsent(seen: SeriesSeen): readonly ValueVerdict[] {
  const found = seen.samples[0];
  if (found)
    return [
      {
        entity: entityName(found),
        verdict: "fail",
        reason: "not_as_expected",
        because: `${entityName(found)} reports ${shown(found, seen)}, where nothing should`,
      },
    ];
  if (seen.up !== 1)
    return [
      { entity: "node", verdict: "unresolved", reason: "no_data", because: "no series, and no scrape target that is known to be up" },
    ];
  return [{ entity: "node", verdict: "pass", reason: "as_expected", because: "no series, while the scrape target is up" }];
}

/** Count first, then judge (R2.2): by index, and by UUID where there is one. */
function countSeries(seen: SeriesSeen, before: SeriesSeen | null, spec: TelemetrySpec): readonly ValueVerdict[] {
  const wanted = spec.seriesPerNode;
  const entities = new Set(seen.samples.map((sample) => sample.entity));
  const uuids = seen.samples.flatMap((sample) => uuidOf(sample) ?? []);
  const twice = uuids.find((uuid, at) => uuids.indexOf(uuid) !== at);
  const distinct = twice === undefined ? entities.size : Math.min(entities.size, new Set(uuids).size);
  const unresolved = (reason: VerdictReason, because: string): ValueVerdict => ({ entity: "node", verdict: "unresolved", reason, because });
  const numbered = [...entities].every((entity) => /^\d+$/.test(entity)) && wanted > 1;
  const what = numbered || uuids.length > 0 ? "GPUs" : "series";
  if (twice !== undefined) return [unresolved("too_few", `${distinct} of ${wanted} ${what} reported, two series share UUID ${twice}`)];
  const gone = (before?.samples ?? []).map((sample) => sample.entity).filter((entity) => !entities.has(entity));
  if (distinct < wanted) {
    const missing = numbered ? Array.from({ length: wanted }, (_, index) => String(index)).filter((index) => !entities.has(index)) : gone;
    const because = `${distinct} of ${wanted} ${what} reported${missing.length > 0 ? `, missing ${numbered ? "index " : ""}${missing.join(", ")}` : ""}`;
    return [unresolved(gone.length > 0 ? "vanished" : "too_few", because)];
  }
  if (seen.samples.length > wanted || distinct > wanted)
    return [unresolved("sources_disagree", `${seen.samples.length} series where ${wanted} are expected`)];
  return [];
}

function judgeSamples(seen: SeriesSeen, before: SeriesSeen | null, spec: TelemetrySpec, context: SeriesContext): readonly ValueVerdict[] {
  const metric = metricOf(seen);
  const usable: Seen[] = [];
  const refused: ValueVerdict[] = [];
  for (const sample of seen.samples) {
    const entity = entityName(sample);
    const late = problemOfTime(sample, seen, spec, context);
    const number = numberFrom(sample.text, metricName(sample, metric));
    if (late !== null) refused.push({ entity, verdict: "unresolved", reason: late.reason, because: `${entity}: ${late.because}` });
    else if (number.is !== "number")
      refused.push({ entity, verdict: "unresolved", reason: number.reason, because: `${entity}: ${number.because}` });
    else usable.push({ entity: keyOf(sample), text: sample.text, number: number.value, missing: false });
  }
  if (usable.length === 0) return refused;
  const earlier = before === null || before.error !== null || before.warnings.length > 0 ? null : earlierValues(before, metric);
  return [...refused, ...judgeValues(metric, usable, spec.expect, { expected: null, before: earlier })];
}

/** A sample's own time decides: an instant query returns old values for minutes as if they were new. */
function problemOfTime(
  sample: Sample,
  seen: SeriesSeen,
  spec: TelemetrySpec,
  { now, bootedAt, stepEndedAt }: SeriesContext,
): Problem | null {
  const at = sample.sampledAt === null ? NaN : Date.parse(sample.sampledAt);
  if (Number.isNaN(at)) return { reason: "stale", because: "its sample has no time" };
  if (bootedAt !== null && at <= bootedAt.getTime())
    return { reason: "before_reboot", because: `sampled ${sample.sampledAt}, before the last boot ${bootedAt.toISOString()}` };
  if (stepEndedAt !== null && at <= stepEndedAt.getTime())
    return { reason: "stale", because: `sampled ${sample.sampledAt}, before the step ended` };
  const age = Date.parse(seen.readAt) - at;
  if (age > spec.freshnessMs) return { reason: "stale", because: `its sample was ${Math.round(age / 1000)} s old when read` };
  if (at > now.getTime() + spec.freshnessMs)
    return { reason: "sources_disagree", because: `sampled ${sample.sampledAt}, which is in the future: clocks differ` };
  return null;
}

function earlierValues(before: SeriesSeen, metric: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const sample of before.samples) {
    const number = numberFrom(sample.text, metricName(sample, metric));
    if (number.is === "number") values.set(keyOf(sample), number.value);
  }
  return values;
}

const uuidOf = (sample: Sample): string | undefined => sample.labels["UUID"] ?? sample.labels["uuid"];
/** The device itself where it is named: indexes can move over a reboot. */
const keyOf = (sample: Sample): string => (uuidOf(sample) === undefined ? entityName(sample) : `${entityName(sample)} (${uuidOf(sample)})`);
const entityName = (sample: Sample): string =>
  /^\d+$/.test(sample.entity) ? `gpu ${sample.entity}` : sample.entity === "" ? "node" : sample.entity;
const metricName = (sample: Sample, metric: string): string => sample.labels["__name__"] ?? metric;
const metricOf = (seen: SeriesSeen): string => seen.samples[0]?.labels["__name__"] ?? /[A-Za-z_:][\w:]*/.exec(seen.query)?.[0] ?? "value";
const shown = (sample: Sample, seen: SeriesSeen): string => {
  const number = numberFrom(sample.text, metricName(sample, metricOf(seen)));
  return number.is === "number" ? String(number.value) : number.because;
};
