import { parseArgs } from "node:util";
import { parseExpectation } from "@/lib/core/check/expect";
import type { Expectation } from "@/lib/core/check/expectation";
import { parseLimit } from "@/lib/core/check/limit";
import { err, ok, type Result } from "@/lib/core/kernel/result";

export type EvidenceOptions = {
  readonly parser: string;
  readonly file: string;
  readonly baseline: string | null;
  readonly limits: Readonly<Record<string, Expectation>>;
  /** Of the output as a whole: `--expect every=570.172.08`. */ readonly expectation: Expectation | null;
  readonly named: Readonly<Record<string, Expectation>>;
  readonly expectGpus: number | null;
  readonly exitCode: number | null;
  readonly now: Date | null;
  readonly lastReboot: Date | null;
  readonly json: boolean;
};

export const EVIDENCE_USAGE =
  'usage: clearance evidence read --parser NAME FILE [--baseline RAW_FILE] [--limit "busbw > 95%"] [--expect NAME=VALUE]... [--expect-gpus N] [--now T] [--last-reboot T] [--exit-code N] [--json]';

const WHOLE = new Set(["equals", "every", "oneOf", "above", "below", "atLeast", "atMost", "absent", "output", "text"]);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

export function readEvidenceOptions(argv: readonly string[], parsers: readonly string[]): Result<EvidenceOptions, string> {
  const parsed = parse(argv);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const [file, ...more] = positionals;
  if (values.parser === undefined) return err("--parser is missing");
  if (!parsers.includes(values.parser)) return err(`no parser is called "${values.parser.slice(0, 80)}": there are ${parsers.join(", ")}`);
  if (file === undefined || more.length > 0) return err("exactly one FILE must be named");
  const limits = readLimits(values.limit ?? []);
  if (!limits.ok) return limits;
  const expected = readExpected(values.expect ?? []);
  if (!expected.ok) return expected;
  const gpus = readCount("--expect-gpus", values["expect-gpus"]);
  if (!gpus.ok) return gpus;
  const exitCode = readCount("--exit-code", values["exit-code"]);
  if (!exitCode.ok) return exitCode;
  const now = readTime("--now", values.now);
  if (!now.ok) return now;
  const lastReboot = readTime("--last-reboot", values["last-reboot"]);
  if (!lastReboot.ok) return lastReboot;
  return ok({
    parser: values.parser,
    file,
    baseline: values.baseline ?? null,
    limits: limits.value,
    ...expected.value,
    expectGpus: gpus.value,
    exitCode: exitCode.value,
    now: now.value,
    lastReboot: lastReboot.value,
    json: values.json ?? false,
  });
}

const OPTIONS = {
  parser: { type: "string" },
  baseline: { type: "string" },
  limit: { type: "string", multiple: true },
  expect: { type: "string", multiple: true },
  "expect-gpus": { type: "string" },
  "exit-code": { type: "string" },
  now: { type: "string" },
  "last-reboot": { type: "string" },
  json: { type: "boolean" },
} as const;

function parse(argv: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS }));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

function readLimits(texts: readonly string[]): Result<Readonly<Record<string, Expectation>>, string> {
  const limits: Record<string, Expectation> = {};
  for (const text of texts) {
    const limit = parseLimit(text);
    if (!limit.ok) return err(`--limit: ${limit.error}`);
    const name = limit.value.name || "busbw";
    if (Object.hasOwn(limits, name)) return err(`--limit: ${name} is named twice`);
    limits[name] = limit.value.expectation;
  }
  return ok(limits);
}

function readExpected(texts: readonly string[]): Result<Pick<EvidenceOptions, "expectation" | "named">, string> {
  const named: Record<string, Expectation> = {};
  let expectation: Expectation | null = null;
  for (const text of texts) {
    const at = text.indexOf("=");
    const name = text.slice(0, at).trim();
    if (at < 1 || name === "" || name === "__proto__") return err(`--expect "${text.slice(0, 80)}" is not NAME=VALUE`);
    const value = text.slice(at + 1).trim();
    const parsed = WHOLE.has(name) ? wholeExpectation(name, value) : parseExpectation(value);
    if (!parsed.ok) return err(`--expect ${name.slice(0, 80)}: ${parsed.error}`);
    if (Object.hasOwn(named, name) || (WHOLE.has(name) && expectation !== null))
      return err(`--expect: ${name.slice(0, 80)} is named twice`);
    if (WHOLE.has(name)) expectation = parsed.value;
    else named[name] = parsed.value;
  }
  return ok({ expectation, named });
}

function wholeExpectation(word: string, value: string): Result<Expectation, string> {
  if (value === "") return err("an expectation is empty");
  switch (word) {
    case "every":
      return ok({ every: value });
    case "equals":
      return ok({ equals: value });
    case "absent":
      return value === "true" ? ok({ absent: true }) : err("absent can only be true");
    case "oneOf":
      return ok({ oneOf: value.split(/[|,]/).map((one) => one.trim()) });
    case "output":
    case "text":
      return parseExpectation(value);
    default:
      return parseExpectation(`${word} ${value}`);
  }
}

function readCount(option: string, text: string | undefined): Result<number | null, string> {
  if (text === undefined) return ok(null);
  return /^\d{1,5}$/.test(text) ? ok(Number(text)) : err(`${option} must be a whole number, not "${text.slice(0, 40)}"`);
}

/** Only with its zone: a time without one cannot be put in order. */
function readTime(option: string, text: string | undefined): Result<Date | null, string> {
  if (text === undefined) return ok(null);
  const time = TIME.test(text) ? new Date(text) : null;
  return time !== null && !Number.isNaN(time.getTime())
    ? ok(time)
    : err(`${option} must be a time with its zone such as 2026-11-18T02:30:00Z, not "${text.slice(0, 40)}"`);
}
