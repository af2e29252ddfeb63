import * as yaml from "yaml";
import { readExpectation } from "@/lib/core/check/read-expectation";
import {
  complain,
  fieldOf,
  isMissing,
  readDuration,
  readEntries,
  readItems,
  readMap,
  readText,
  readWhole,
  readWord,
  shown,
} from "@/lib/core/kernel/document-form";
import type { Field } from "@/lib/core/kernel/document-form";
import { readDocumentTree } from "@/lib/core/kernel/document-tree";
import type { DocumentProblem } from "@/lib/core/kernel/document-tree";
import { err, ok } from "@/lib/core/kernel/result";
import type { Result } from "@/lib/core/kernel/result";
import { AcceptanceJobSpec } from "./job";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const SHA256 = /^[0-9a-f]{64}$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?$/;
const PARSER_NAMES = ["nccl-tests", "dcgm-diag", "nvidia-smi", "text"] as const;
const MINUTE = 60_000;

/** An acceptance job from YAML (R3.2). Every fault is named with its place; unknown names are faults. */
export function readJob(text: string): Result<AcceptanceJobSpec, DocumentProblem[]> {
  const tree = readDocumentTree(text, yaml);
  if (!tree.ok) return tree;
  const problems: DocumentProblem[] = [];
  const document = fieldOf(tree.value, problems);
  if (tree.value.is !== "map") {
    complain(document, "An acceptance job is a map that begins with its name.");
    return err(problems);
  }
  const keys = [
    "name",
    "version",
    "class",
    "script",
    "inputs",
    "applicationVersion",
    "expect",
    "metrics",
    "repeats",
    "timeLimit",
    "judges",
  ] as const;
  const f = readMap(document, keys);
  const job: AcceptanceJobSpec = {
    name: readText(f.name, { pattern: NAME, what: "a name of letters, digits, dots and dashes" }),
    version: readWhole(f.version, { min: 1, max: 999_999 }),
    class: readText(f.class),
    script: readText(f.script, { max: 65_536, lines: true }),
    inputs: readInputs(f.inputs),
    applicationVersion: readText(f.applicationVersion),
    expectOutput: readOutput(f.expect),
    metrics: readMetrics(f.metrics),
    repeats: readWhole(f.repeats, { min: 1, max: 50, fallback: 1 }),
    timeLimitMs: readDuration(f.timeLimit, { minMs: 1_000, maxMs: 24 * 60 * MINUTE }),
    judges: readItems(f.judges, 20, true).map((item) => readText(item)),
  };
  if (problems.length > 0) return err([...problems].sort((a, b) => a.line - b.line || a.column - b.column));
  return ok(AcceptanceJobSpec.parse(job));
}

function readInputs(field: Field): AcceptanceJobSpec["inputs"] {
  return readItems(field, 50).map((item) => {
    const f = readMap(item, ["path", "sha256"]);
    return { path: readText(f.path, { max: 4096 }), sha256: readSha(f.sha256) };
  });
}

const readSha = (field: Field): string => readText(field, { pattern: SHA256, what: "a SHA-256 of 64 lower-case hex digits" });

/** What the output must be: exactly one way of saying it. */
function readOutput(field: Field): AcceptanceJobSpec["expectOutput"] {
  const nothing = { kind: "exact", text: "" } as const;
  const { output } = readMap(field, ["output"]);
  if (isMissing(output)) {
    complain(output, "expect.output is missing: a run whose output nobody checks proves nothing.");
    return nothing;
  }
  const entries = readEntries(output);
  const at = (key: string): Field | undefined => entries.find((e) => e.key === key)?.field;
  const [parser, sha, exact, number] = [at("parser"), at("sha256"), at("exact"), at("number")];
  if ([parser, sha, exact, number].filter((part) => part !== undefined).length !== 1) {
    complain(output, "expect.output must name exactly one of parser, sha256, exact or number.");
    return nothing;
  }
  if (parser) return { kind: "parser", parser: readWord(parser, PARSER_NAMES), values: readValues(output) };
  if (number) {
    const f = readMap(output, ["number", "tolerance"]);
    return { kind: "number", value: readNumber(f.number), tolerance: isMissing(f.tolerance) ? 0 : Math.abs(readNumber(f.tolerance)) };
  }
  if (sha) return { kind: "sha256", sha256: readSha(readMap(output, ["sha256"]).sha256) };
  return { kind: "exact", text: readText(readMap(output, ["exact"]).exact, { max: 65_536, lines: true }) };
}

function readValues(output: Field): Record<string, NonNullable<ReturnType<typeof readExpectation>>> {
  const values: Record<string, NonNullable<ReturnType<typeof readExpectation>>> = {};
  for (const entry of readEntries(output)) {
    if (entry.key === "parser") continue;
    const expected = readExpectation(entry.field);
    if (expected === null) complain(entry.field, `${entry.field.path} is missing: what the value must be.`);
    else values[entry.key] = expected;
  }
  return values;
}

function readNumber(field: Field): number {
  const text = readText(field);
  if (text !== "" && !NUMBER.test(text)) complain(field, `${field.path} must be a number, not ${shown(text)}.`);
  return Number(text);
}

function readMetrics(field: Field): AcceptanceJobSpec["metrics"] {
  return readItems(field, 50).map((item) => {
    const f = readMap(item, ["name", "parser", "unit", "direction", "warn", "fail"]);
    const fail = readExpectation(f.fail);
    if (fail === null) complain(f.fail, `${f.fail.path} is missing: the limit that must hold.`);
    return {
      name: readText(f.name),
      parser: readWord(f.parser, PARSER_NAMES),
      unit: readText(f.unit, { max: 32 }),
      direction: readWord(f.direction, ["higher", "lower"]),
      warn: readExpectation(f.warn),
      fail: fail ?? { absent: true },
    };
  });
}
