import { complain, isMissing, readEntries, readItems, readMap, readText, shown } from "@/lib/core/kernel/document-form";
import type { Field } from "@/lib/core/kernel/document-form";
import type { Bound, Expectation } from "./expectation";

const WORDS = ["equals", "every", "oneOf", "above", "below", "atLeast", "atMost", "notAbove", "absent"] as const;
const SIGNS = { ">": "above", "<": "below", ">=": "atLeast", "<=": "atMost" } as const;
const LIMIT = /^(>=|<=|>|<)\s*(\S+)$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?$/;

/** `{every: 570.172.08}`, `{above: 95%}`, `"> 90%"`, or a bare text that must be equalled. null: nothing is expected. */
export function readExpectation(field: Field): Expectation | null {
  if (isMissing(field) || field.node === null) return null;
  if (field.node.is === "text") return readShorthand(field);
  const members = readMap(field, WORDS);
  const given = WORDS.filter((word) => members[word].node !== null);
  const word = given[0];
  if (word === undefined || given.length > 1) {
    complain(field, `${field.path} must name exactly one of ${WORDS.join(", ")}.`);
    return null;
  }
  return readWordOf(word, members[word]);
}

/** Limits by name: `{busbw: "> 90%"}`. */
export function readLimits(field: Field): Record<string, Expectation> | null {
  const limits: Record<string, Expectation> = {};
  for (const entry of readEntries(field, 16)) {
    const expected = readExpectation(entry.field);
    if (expected === null) complain(entry.field, `${entry.field.path} needs a limit such as "> 90%".`);
    else if ("equals" in expected)
      complain(entry.field, `${entry.field.path} must be a limit such as "> 90%", not ${shown(expected.equals)}.`);
    else limits[entry.key] = expected;
  }
  return Object.keys(limits).length > 0 ? limits : null;
}

function readShorthand(field: Field): Expectation | null {
  const text = readText(field, { max: 1000 });
  const match = LIMIT.exec(text);
  if (!match) return { equals: text };
  const bound = boundOf(field, match[2] ?? "");
  return bound === null ? null : limitOf(SIGNS[match[1] as keyof typeof SIGNS], bound);
}

function readWordOf(word: (typeof WORDS)[number], field: Field): Expectation | null {
  switch (word) {
    case "equals":
      return { equals: readText(field, { max: 1000 }) };
    case "every":
      return { every: readText(field, { max: 1000 }) };
    case "oneOf": {
      const items = readItems(field, 100).map((item) => readText(item, { max: 1000 }));
      if (items.length === 0) complain(field, `${field.path} needs at least one value.`);
      return { oneOf: items };
    }
    case "notAbove":
      if (readText(field) !== "before") complain(field, `${field.path} can only be "before": the value read before the drain.`);
      return { notAbove: "before" };
    case "absent":
      if (readText(field) !== "true") complain(field, `${field.path} can only be true.`);
      return { absent: true };
    default: {
      const bound = boundOf(field, readText(field));
      return bound === null ? null : limitOf(word, bound);
    }
  }
}

function limitOf(word: "above" | "below" | "atLeast" | "atMost", bound: Bound): Expectation {
  if (word === "above") return { above: bound };
  if (word === "below") return { below: bound };
  return word === "atLeast" ? { atLeast: bound } : { atMost: bound };
}

function boundOf(field: Field, text: string): Bound | null {
  const percent = text.endsWith("%");
  const digits = percent ? text.slice(0, -1).trim() : text;
  if (!NUMBER.test(digits)) {
    complain(field, `${field.path} must be a number or a percentage of the baseline, not ${shown(text)}.`);
    return null;
  }
  return percent ? { percentOfBaseline: Number(digits) } : { value: Number(digits) };
}
