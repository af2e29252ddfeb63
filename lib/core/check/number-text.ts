import type { VerdictReason } from "./verdict";

/** `shown` stands where the text would: a sentinel's digits must reach no record, export or chart. */
type NumberText =
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "no_number"; readonly reason: VerdictReason; readonly shown: string; readonly because: string };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Vendors' "no value" numbers, by what they say. A double rounds the 64-bit family to one value: which of them it was is lost. */
const SENTINELS: readonly (readonly [RegExp, string])[] = [
  [/^(2147483632|9223372036854775792|140737488355328(\.0+)?|1\.40737488355328e\+?14)$/i, "blank"],
  [/^(2147483633|9223372036854775793|140737488355329(\.0+)?|1\.40737488355329e\+?14)$/i, "not found"],
  [/^(2147483634|9223372036854775794|140737488355330(\.0+)?|1\.4073748835533e\+?14)$/i, "not supported"],
  [/^(2147483635|9223372036854775795|140737488355331(\.0+)?|1\.40737488355331e\+?14)$/i, "no permission"],
];
const WORDS = ["blank", "not found", "not supported", "no permission"];
/** Ranges of formats whose numbers are known to go wild. */
const RANGES: readonly (readonly [RegExp, number, number])[] = [
  [/(_UTIL$|utilization|^DCGM_FI_DEV_(GPU|MEM_COPY|ENC|DEC)_UTIL)/i, 0, 100],
  [/(_TEMP$|temperature|gpu_temp)/i, -60, 250],
  [/^DCGM_FI_PROF_.*_ACTIVE$/i, 0, 1],
  [/(ROW_REMAP_FAILURE|ROW_REMAP_PENDING)$/i, 0, 1],
  [/^up$/, 0, 1],
];

/** A number as a tool printed it, tested on the text before conversion: NaN, infinities, "no value" sentinels and values out of the metric's range are none (R2.3). */
export function numberFrom(text: string, metric: string): NumberText {
  const bare = text.trim();
  if (WORDS.includes(bare)) return refused("sentinel", bare, `no value: ${bare}`);
  if (/^<<<.*>>>$/.test(bare)) return refused("sentinel", "not supported", `no value: ${bare.slice(3, 43).replace(/>>>$/, "")}`);
  const sentinel = SENTINELS.find(([shape]) => shape.test(bare));
  if (sentinel) return refused("sentinel", sentinel[1], `no value: ${sentinel[1]}`);
  if (!NUMBER.test(bare))
    return refused("not_a_number", bare.slice(0, 60), bare === "" ? "no number at all" : `"${bare.slice(0, 60)}" is not a number`);
  const value = Number(bare);
  if (!Number.isFinite(value)) return refused("not_a_number", bare.slice(0, 60), `"${bare.slice(0, 60)}" is not a finite number`);
  if (Math.abs(value) >= 9.2e18 || (value >= 2147483632 && value <= 2147483647))
    return refused("sentinel", "not supported", "no value: not supported");
  const range = RANGES.find(([shape]) => shape.test(metric));
  if (range && (value < range[1] || value > range[2]))
    return refused("out_of_range", bare.slice(0, 60), `${bare.slice(0, 60)} is out of range ${range[1]} to ${range[2]}`);
  return { is: "number", value };
}

const refused = (reason: VerdictReason, shown: string, because: string): NumberText => ({ is: "no_number", reason, shown, because });
