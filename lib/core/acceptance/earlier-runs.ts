import { differingConditions, undeclaredChanges } from "@/lib/core/check/comparable";
import { summariseRows } from "@/lib/core/check/compare-rows";
import type { Reading } from "@/lib/core/check/reading";
import { summarise, type BaselineSummary } from "./baseline";
import type { AcceptanceJobSpec } from "./job";
import { outputCorrectness } from "./output-correctness";

type EarlierOutput = { readonly reading: Reading; readonly text: string; readonly sha256: string };
type Where = { readonly hosts: number; readonly gpus: number; readonly versions: Readonly<Record<string, string>> };

/** Outputs of runs from earlier as one baseline (R3.3), or what is wrong with which of them: each whole and correct, all under the same conditions. */
export function summariseEarlier(
  outputs: readonly EarlierOutput[],
  spec: AcceptanceJobSpec,
  where: Where,
): BaselineSummary | readonly string[] {
  const first = outputs[0];
  if (first === undefined) return ["outputs: there is none"];
  const faults = outputs.flatMap((one, at) => {
    const same = outputs.findIndex((other) => other.sha256 === one.sha256);
    const fault = same < at ? `is output ${same + 1} once more` : (faultOf(one, spec, where) ?? differs(one.reading, first.reading));
    return fault === null ? [] : [`output ${at + 1}: ${fault}`];
  });
  if (faults.length > 0) return faults;
  const rows = summariseRows(outputs.flatMap((one) => one.reading.measurements)).map((row) => ({ ...row, values: [...row.values] }));
  return { rows, conditions: first.reading.conditions, versions: { ...where.versions, ...first.reading.versions } };
}

function faultOf({ reading, text, sha256 }: EarlierOutput, spec: AcceptanceJobSpec, where: Where): string | null {
  const summary = summarise(reading);
  if (typeof summary === "string") return summary;
  const { correct, because } = outputCorrectness(spec.expectOutput, { reading, text, sha256 });
  if (correct !== "correct") return because;
  if (reading.parser === "nccl-tests" && reading.wrongValues === null) return "correctness is unknown: validation was switched off";
  const names = reading.measurements.map((m) => `${m.metric}/${m.bucket}/${m.placement}`);
  if (new Set(names).size < names.length) return "a row stands twice in it";
  const lacking = spec.metrics.find((metric) => !reading.measurements.some((m) => m.metric === metric.name));
  if (lacking !== undefined) return `it does not measure ${lacking.name}`;
  return placeFault(reading, where);
}

/** What the output itself says of where it ran must agree with the nodes that it is given for. */
function placeFault({ conditions, versions }: Reading, where: Where): string | null {
  const { hosts, ranks } = conditions;
  if (hosts !== undefined && Number(hosts) !== where.hosts) return `it ran on ${hosts} hosts, and ${where.hosts} nodes are named`;
  if (ranks !== undefined && Number(ranks) > where.gpus) return `${ranks} ranks, and the nodes have ${where.gpus} GPUs`;
  const other = undeclaredChanges(versions, where.versions, [])[0];
  return other === undefined ? null : `it says ${other.what} ${other.after}, and ${other.before} is given`;
}

function differs(reading: Reading, first: Reading): string | null {
  const differing = differingConditions(reading.conditions, first.conditions)[0];
  if (differing !== undefined) return `not comparable with output 1: ${differing.replace(", baseline ", ", there ")}`;
  const other = undeclaredChanges(reading.versions, first.versions, [])[0];
  return other === undefined ? null : `${other.what} ${other.after}, in output 1 ${other.before}`;
}
