import { z } from "zod";
import type { Reading } from "@/lib/core/check/reading";
import { parseJson } from "./json-text";
import { finishTable, newTable, type Half, type Placement, type Table } from "./nccl-table";
import { ncclVersion } from "./nccl-version";
import { addProblem, addText, cut, newDraft, notThisFormat } from "./reading-draft";

const Num = z.union([z.number(), z.string()]);
const HalfJson = z
  .looseObject({
    time: Num.optional(),
    cpu_time: Num.optional(),
    alg_bw: Num,
    bus_bw: Num,
    nwrong: z.union([z.number(), z.string()]).nullish(),
  })
  .nullish();
const Word = z.union([z.string(), z.boolean()]);
/** Only the fields used: `env` holds the whole environment, secrets included, and is never read. */
const Report = z.looseObject({
  version: z.number(),
  start_time: z.string().nullish(),
  end_time: z.string().nullish(),
  args: z.array(z.string()).nullish(),
  nccl_version: z.number().nullish(),
  config: z
    .looseObject({
      nthreads: z.number().nullish(),
      ngpus: z.number().nullish(),
      minimum_bytes: z.number().nullish(),
      maximum_bytes: z.number().nullish(),
      step_factor: z.number().nullish(),
      step_bytes: z.number().nullish(),
      warmup_iters: z.number().nullish(),
      iterations: z.number().nullish(),
      aggregated_iterations: z.number().nullish(),
      validation: z.number().nullish(),
      devices: z.array(z.looseObject({ rank: z.number(), hostname: z.string(), device_info: z.string().nullish() })).nullish(),
    })
    .nullish(),
  results: z
    .array(
      z.looseObject({
        size: z.number().int().nonnegative(),
        type: z.string(),
        redop: z.string(),
        out_of_place: HalfJson,
        in_place: HalfJson,
        experiment_name: z.string().nullish(),
      }),
    )
    .nullish(),
  out_of_bounds: z.looseObject({ count: z.number(), okay: Word }).nullish(),
  average_bus_bandwidth: z.looseObject({ bandwidth: Num, okay: Word }).nullish(),
  /** Spelled so by 2.17.3 to 2.17.8. */
  average_bus_bandwidith: z.looseObject({ bandwidith: Num, okay: Word }).nullish(),
  errors: z.array(z.unknown()).nullish(),
});
type Report = z.infer<typeof Report>;

/** The report of `-J FILE`, versions 1 to 3. */
export function readNcclJson(text: string): Reading {
  const json = parseJson(text);
  const draft = newDraft("nccl-tests");
  if (!json.ok) {
    if (!json.error.ended) return notThisFormat("nccl-tests", json.error.because);
    cut(draft, `${json.error.because}: the run died or the file was cut`);
    return draft;
  }
  const parsed = Report.safeParse(json.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return notThisFormat("nccl-tests", `not a report of nccl-tests: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong shape"}`);
  }
  const report = parsed.data;
  if (![1, 2, 3].includes(report.version)) {
    return {
      ...draft,
      understood: "not_this_format",
      problems: [{ reason: "unsupported_version", entity: null, because: `unsupported report version ${report.version}` }],
    };
  }
  if (typeof report.nccl_version === "number") draft.versions["nccl"] = ncclVersion(report.nccl_version);
  if (report.start_time) addText(draft, "started_at", "run", report.start_time, "local time");
  if (!report.end_time) cut(draft, "no end_time: the run was aborted");
  else if (!report.out_of_bounds || !(report.average_bus_bandwidth ?? report.average_bus_bandwidith))
    cut(draft, "no footer objects: the run was aborted");
  for (const error of (report.errors ?? []).slice(0, 10))
    addProblem(draft, "tool_error", `the run reports: ${JSON.stringify(error).slice(0, 300)}`);
  finishTable(draft, tableOf(report));
  return draft;
}

function tableOf(report: Report): Table {
  const table = newTable();
  const { config } = report;
  const devices = config?.devices ?? [];
  // One process that drives several GPUs lists only its first device.
  const perProcess = Math.max(1, (config?.ngpus ?? 1) * (config?.nthreads ?? 1));
  if (devices.length > 0) table.ranks = new Set(devices.map((device) => device.rank)).size * perProcess;
  for (const device of devices) {
    table.hosts.add(device.hostname);
    if (device.device_info) table.gpus.add(device.device_info);
  }
  table.collective = (report.results?.[0]?.experiment_name ?? report.args?.[0]?.split("/").at(-1) ?? null)?.slice(0, 80) ?? null;
  table.validation = config?.validation ?? null;
  const { minimum_bytes: from, maximum_bytes: to, step_factor: factor, step_bytes: bytes } = config ?? {};
  if (typeof from === "number" && typeof to === "number" && (typeof factor === "number" || typeof bytes === "number"))
    table.sizes = { from, to, step: factor ?? bytes ?? 0, by: typeof factor === "number" ? "factor" : "bytes" };
  if (typeof config?.iterations === "number")
    table.iterations = `warmup iters: ${config.warmup_iters ?? "?"} iters: ${config.iterations} agg iters: ${config.aggregated_iterations ?? "?"}`;
  for (const result of report.results ?? []) {
    const halves = [halfOf(result.out_of_place, "out-of-place"), halfOf(result.in_place, "in-place")].filter((half) => half !== null);
    if (result.out_of_place?.cpu_time !== undefined || result.in_place?.cpu_time !== undefined) table.timing = "cpu";
    table.rows.push({ size: result.size, type: result.type, redop: result.redop, halves });
  }
  if (report.out_of_bounds) table.outOfBounds = { count: report.out_of_bounds.count, ok: String(report.out_of_bounds.okay) === "true" };
  const average = report.average_bus_bandwidth;
  const older = report.average_bus_bandwidith;
  if (average ?? older)
    table.average = { value: numberOf(average?.bandwidth ?? older?.bandwidith), ok: String(average?.okay ?? older?.okay) !== "false" };
  return table;
}

function halfOf(half: z.infer<typeof HalfJson>, placement: Placement): Half | null {
  if (!half) return null;
  const nwrong = half.nwrong === null || half.nwrong === undefined ? NaN : numberOf(half.nwrong);
  const wrong = Number.isFinite(nwrong) ? nwrong : null;
  return { placement, time: numberOf(half.time ?? half.cpu_time), algbw: numberOf(half.alg_bw), busbw: numberOf(half.bus_bw), wrong };
}

/** NaN is written as the text "nan". */
const numberOf = (written: number | string | undefined): number =>
  typeof written === "number" ? written : written !== undefined && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(written) ? Number(written) : NaN;
