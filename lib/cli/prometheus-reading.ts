import { readInstant } from "@/lib/adapters/prometheus/wire";
import { nodeNameIn } from "@/lib/core/check/node-series";
import { numberFrom } from "@/lib/core/check/number-text";
import type { Reading } from "@/lib/core/check/reading";
import { decodeText } from "@/lib/parsers/input-limits";
import { addNumber, addProblem, addText, newDraft, notThisFormat, type Draft } from "@/lib/parsers/reading-draft";
import type { MetricSample } from "@/lib/ports/metrics";
import { readingOfError } from "./source-reading";

/** An instant answer as named values per node and GPU. What belongs to no node, is no number or was warned about cannot pass. */
export function prometheusReading(bytes: Uint8Array): Reading {
  const text = decodeText(bytes);
  if (!text.ok) return notThisFormat("prometheus", text.error);
  const read = readInstant(bytes);
  if (!read.ok) return readingOfError("prometheus", read.error);
  const draft = newDraft("prometheus");
  const { samples, warnings, evaluatedAt } = read.value;
  for (const warning of warnings) addProblem(draft, "warned", `the answer is partial: ${warning}`);
  if (evaluatedAt !== null)
    addNumber(draft, "evaluated_at", "run", evaluatedAt.getTime() / 1000, { text: evaluatedAt.toISOString(), unit: "s" });
  if (samples.length === 0) addProblem(draft, "no_data", "the answer is empty: no series at all");
  for (const sample of samples) readSample(draft, sample);
  countGpus(draft, samples);
  return draft;
}

const metricOf = (sample: MetricSample): string => (sample.labels["__name__"] ?? "value").slice(0, 200);

function readSample(draft: Draft, sample: MetricSample): void {
  const node = nodeNameIn(sample.labels);
  const gpu = sample.labels["gpu"];
  const entity = node === null ? "no node" : gpu === undefined ? node : `${node} gpu ${gpu}`;
  const metric = metricOf(sample);
  if (node === null) addProblem(draft, "no_data", `${metric} ${shownOf(sample)} belongs to no node: none of its labels names one`);
  const number = numberFrom(sample.text, metric);
  if (number.is === "number") addNumber(draft, metric, entity, number.value, { text: sample.text, unit: "" });
  else {
    addText(draft, metric, entity, number.shown, "no value");
    addProblem(draft, number.reason, `${entity}: ${metric}: ${number.because}`, entity);
  }
}

/** Distinct GPUs per node, by index and by UUID: two series of one device are one GPU. */
function countGpus(draft: Draft, samples: readonly MetricSample[]): void {
  const nodes = new Map<string, MetricSample[]>();
  for (const sample of samples.filter((one) => one.labels["gpu"] !== undefined)) {
    const node = nodeNameIn(sample.labels) ?? "no node";
    nodes.set(node, [...(nodes.get(node) ?? []), sample]);
  }
  for (const [node, own] of nodes) {
    const indexes = new Set(own.map((sample) => sample.labels["gpu"] ?? ""));
    const seen = new Set<string>();
    let shared = 0;
    for (const sample of own) {
      const uuid = sample.labels["UUID"] ?? sample.labels["uuid"];
      if (uuid === undefined) continue;
      const key = `${metricOf(sample)}/${uuid}`;
      if (seen.has(key)) {
        shared++;
        addProblem(draft, "too_few", `${node}: two series of ${metricOf(sample)} share UUID ${uuid.slice(0, 80)}`, node);
      }
      seen.add(key);
    }
    const count = Math.max(0, indexes.size - shared);
    addNumber(draft, "gpus", node, count, { text: [...indexes].join(","), unit: "" });
  }
}

const shownOf = (sample: MetricSample): string => {
  const number = numberFrom(sample.text, metricOf(sample));
  return number.is === "number" ? String(number.value) : number.because;
};
