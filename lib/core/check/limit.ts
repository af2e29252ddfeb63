import { err, ok } from "@/lib/core/kernel/result";
import type { Result } from "@/lib/core/kernel/result";
import type { Bound, Expectation } from "./expectation";

export type LimitWord = "above" | "below" | "atLeast" | "atMost";
export type Limit = { readonly word: LimitWord; readonly bound: Bound };
/** on_the_limit is said apart: such a number fails (R2.5), and whoever reads it wants to know that it was this close. */
type Measured = { readonly holds: boolean; readonly onLimit: boolean; readonly limit: number };

const WORDS: readonly LimitWord[] = ["above", "below", "atLeast", "atMost"];
const SIGNS: Readonly<Record<string, LimitWord>> = { ">": "above", "<": "below", ">=": "atLeast", "<=": "atMost" };
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,12})?|\.\d{1,12})$/;
/** Two numbers nearer than this share of themselves are the same number: 90 % of 460 is 414 in any arithmetic. */
const SAME = 1e-9;

/** "busbw > 95%", "> 90%", "below 80": the metric before the sign is the name, "" without one. */
export function parseLimit(text: string): Result<{ readonly name: string; readonly expectation: Expectation }, string> {
  const parts = /^\s*([A-Za-z][\w.\-]{0,99})??\s*(>=|<=|>|<|\b(?:above|below|atLeast|atMost)\b:?)\s*(\S+?)\s*(%?)\s*$/.exec(text);
  if (!parts) return err(`"${text.slice(0, 80)}" is no limit: write it as "busbw > 95%"`);
  const [, name = "", sign = "", digits = "", percent = ""] = parts;
  if (!NUMBER.test(digits)) return err(`"${digits.slice(0, 40)}" in "${text.slice(0, 80)}" is no number`);
  const word = SIGNS[sign] ?? WORDS.find((known) => known === sign.replace(":", ""));
  if (word === undefined) return err(`"${sign}" in "${text.slice(0, 80)}" is no comparison`);
  const bound: Bound = percent === "%" ? { percentOfBaseline: Number(digits) } : { value: Number(digits) };
  return ok({ name, expectation: expectationOf({ word, bound }) });
}

/** The limit an expectation sets, null where it expects something else than a number's size. */
export function limitOf(expectation: Expectation): Limit | null {
  if ("above" in expectation) return { word: "above", bound: expectation.above };
  if ("below" in expectation) return { word: "below", bound: expectation.below };
  if ("atLeast" in expectation) return { word: "atLeast", bound: expectation.atLeast };
  if ("atMost" in expectation) return { word: "atMost", bound: expectation.atMost };
  return null;
}

/** null: a percentage without a baseline that has a number, so nothing can be said. `above` and `below` are strict: a number on the limit fails (R2.5). */
export function isBeyond(value: number, limit: Limit, baseline: number | null): Measured | null {
  const at =
    "value" in limit.bound
      ? limit.bound.value
      : baseline === null || !(baseline > 0)
        ? null
        : (baseline * limit.bound.percentOfBaseline) / 100;
  if (at === null || !Number.isFinite(at) || !Number.isFinite(value)) return null;
  const onLimit = Math.abs(value - at) <= SAME * Math.max(Math.abs(value), Math.abs(at));
  switch (limit.word) {
    case "above":
      return { holds: !onLimit && value > at, onLimit, limit: at };
    case "below":
      return { holds: !onLimit && value < at, onLimit, limit: at };
    case "atLeast":
      return { holds: onLimit || value > at, onLimit, limit: at };
    case "atMost":
      return { holds: onLimit || value < at, onLimit, limit: at };
  }
}

const SAYS: Readonly<Record<LimitWord, string>> = { above: "above", below: "below", atLeast: "at least", atMost: "at most" };
/** "above 95 %", "at most 80". */
export const sayLimit = ({ word, bound }: Limit): string =>
  `${SAYS[word]} ${"value" in bound ? bound.value : `${bound.percentOfBaseline} %`}`;

function expectationOf({ word, bound }: Limit): Expectation {
  switch (word) {
    case "above":
      return { above: bound };
    case "below":
      return { below: bound };
    case "atLeast":
      return { atLeast: bound };
    case "atMost":
      return { atMost: bound };
  }
}
