/** The series that exist at an instant, with the values and labels that faults give them. */
import { hash32 } from "@/lib/simulator/world/chance";
import { findFault, type Fault } from "@/lib/simulator/world/faults";
import { gpuUuid } from "@/lib/simulator/world/gpus";
import type { NodeState, WorldState } from "@/lib/simulator/world/state";

import type { Scrape, Scrapes } from "./scrapes";

/** Prometheus' look-back: older samples are not answered. */
const LOOKBACK_S = 300;
export const METRIC_NAMES = [
  "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
  "DCGM_FI_DEV_GPU_TEMP",
  "DCGM_FI_DEV_GPU_UTIL",
  "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
  "DCGM_FI_DEV_XID_ERRORS",
  "up",
] as const;
type Metric = (typeof METRIC_NAMES)[number];

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: string; readonly at: number };

/** `wanted` narrows by name before a series is made: a site has thousands of them. */
export function seriesAt(state: WorldState, scrapes: Scrapes, instant: number, wanted: (metric: string) => boolean): Sample[] {
  const metrics = METRIC_NAMES.filter(wanted);
  return Object.values(state.nodes).flatMap((node) => seriesOfNode(state, scrapes, { node, instant, metrics }));
}

function seriesOfNode(state: WorldState, scrapes: Scrapes, at: { node: NodeState; instant: number; metrics: readonly Metric[] }): Sample[] {
  const { node, instant, metrics } = at;
  const last = scrapes.lastAt(node, instant);
  if (last === undefined || last.at < instant - LOOKBACK_S) return [];
  const target = { instance: `${node.name}:9400`, job: "dcgm", cluster: node.cluster };
  const samples: Sample[] = [];
  for (const metric of metrics) {
    if (metric === "up") {
      samples.push({ labels: { __name__: "up", ...target }, value: last.up ? "1" : "0", at: last.at });
      continue;
    }
    for (let gpu = 0; gpu < node.hardware.gpus; gpu++) {
      const sample = gpuSample(state, scrapes, { node, metric, gpu, last, target, instant });
      if (sample !== null) samples.push(sample);
    }
  }
  return samples;
}

type Place = { node: NodeState; metric: Metric; gpu: number; last: Scrape; target: Record<string, string>; instant: number };

function gpuSample(state: WorldState, scrapes: Scrapes, place: Place): Sample | null {
  const { node, metric, gpu, target, instant } = place;
  const stale = applies(state, place, "series-stale");
  // A series with timestamps of its own gets no end mark: its last sample before the fault is answered until the look-back is over.
  const scrape = stale === undefined ? place.last : scrapes.lastAt(node, stale.since);
  if (scrape === undefined || !scrape.up || gpu >= scrape.gpus || scrape.at < instant - LOOKBACK_S) return null;
  if (applies(state, place, "series-absent") !== undefined) return null;
  const hostname = applies(state, place, "series-wrong-label")?.params.hostname ?? node.name;
  const labels = {
    __name__: metric,
    gpu: String(gpu),
    UUID: gpuUuid(node, gpu),
    pci_bus_id: `00000000:${"1B4352619DC3D1DF".slice(gpu * 2, gpu * 2 + 2)}:00.0`,
    device: `nvidia${gpu}`,
    modelName: node.hardware.gpuModel,
    Hostname: hostname,
    DCGM_FI_DRIVER_VERSION: scrape.driver,
    ...target,
  };
  const value =
    applies(state, place, "series-value")?.params.value ??
    (applies(state, place, "series-nan") === undefined ? undefined : "NaN") ??
    applies(state, place, "series-sentinel")?.params.value ??
    healthyValue(metric, node, gpu, scrape);
  return { labels, value, at: scrape.at };
}

/** A fault is seen from the first scrape after it began. */
function applies<K extends "series-absent" | "series-nan" | "series-stale" | "series-wrong-label" | "series-sentinel" | "series-value">(
  state: WorldState,
  { node, metric, gpu, last }: Place,
  kind: K,
): Extract<Fault, { kind: K }> | undefined {
  if (state.faults.length === 0) return undefined;
  const matching = state.faults.filter((f) => {
    if (f.kind !== kind || f.since > last.at) return false;
    const params: { metric?: string | undefined; gpu?: number | undefined } = f.params;
    return (params.metric ?? metric) === metric && (params.gpu ?? gpu) === gpu;
  });
  return findFault(matching, kind, { cluster: node.cluster, node: node.name });
}

function healthyValue(metric: Metric, node: NodeState, gpu: number, scrape: Scrape): string {
  if (metric === "DCGM_FI_DEV_GPU_TEMP")
    return String((scrape.busy ? 61 : 36) + gpu + (hash32(`${node.name}/${gpu}/${Math.floor(scrape.at)}`) % 3));
  if (metric === "DCGM_FI_DEV_GPU_UTIL") return scrape.busy ? "97" : "0";
  return "0";
}
