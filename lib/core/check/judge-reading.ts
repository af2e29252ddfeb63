import { judgeLimits, type BaselineRows } from "./judge-limits";
import { judgeTime } from "./output-time";
import { judgeValues } from "./expect";
import type { Expectation } from "./expectation";
import { seenNamed, seenUnnamed } from "./reading-values";
import type { Reading } from "./reading";
import { unresolvedCheck as unresolved, type ReadingCheck } from "./reading-check";
import type { Judged, Rests } from "./verdict";

export type ReadingContext = {
  /** GPUs that must be there, by the inventory; null where the check is not about a known number. */ readonly gpus: number | null;
  /** Lines a plain text must have; left out where nobody knows. */ readonly lines?: number | null;
  /** Left out: nobody knows how the command ended (an uploaded file). */ readonly exitCode?: number | null;
  /** The output went over its limit and was cut. */ readonly truncated?: boolean;
  /** Expectations by name: `{wrongValues: {equals: "0"}}`. */ readonly named?: Readonly<Record<string, Expectation>>;
  /** Names of versions that the plan itself changes ("driver"). */ readonly declared?: readonly string[];
  /** The output must be younger than this. */ readonly lastRebootAt?: Date | null;
  readonly now?: Date | null;
  /** When the output was taken, where that is known from elsewhere; else its own times are looked at. */ readonly takenAt?: Date | null;
  readonly rests?: Rests;
};
export type JudgedReading = { readonly judged: Judged; readonly checks: readonly ReadingCheck[] };

/**
 * Decides what a parsed output means: its own statements, what was expected of it, and its numbers against the baseline. May look at the reading and the
 * arguments only. Never passes on anything partial, uncounted, undated or unchecked; a failure that the output does show stays a failure (R2.3, R2.4).
 * Example: 18 wrong values and a good bandwidth -> fail, "18 wrong values in 4294967296-byte in-place row", the bandwidth is shown and not judged.
 */
export function judgeReading(
  reading: Reading,
  expectation: Expectation | null,
  limits: Readonly<Record<string, Expectation>> | null,
  baseline: BaselineRows | null,
  context: ReadingContext,
): JudgedReading {
  const usable = reading.understood !== "not_this_format" && reading.understood !== "did_not_run";
  const checks: ReadingCheck[] = [...judgeProblems(reading, context)];
  if (usable) {
    checks.push(...judgeStatements(reading), ...judgeCount(reading, context), ...judgeCorrectness(reading));
    checks.push(...judgeExpectation(reading, expectation, context), ...judgeNamed(reading, context));
    if (expectation === null && Object.keys({ ...limits, ...context.named }).length === 0) checks.push(...judgeUnnamed(reading));
    checks.push(...judgeLimits(reading, limits ?? {}, baseline, context.declared ?? []));
  }
  checks.push(
    ...judgeTime(reading, { lastRebootAt: context.lastRebootAt ?? null, now: context.now ?? null, takenAt: context.takenAt ?? null }),
    ...judgeExit(reading, context),
  );
  if (!checks.some((check) => check.verdict === "pass" || check.verdict === "fail" || check.verdict === "unresolved"))
    checks.push(judgeContent(reading, context));
  return { judged: combine(reading, checks, context), checks };
}

function judgeProblems(reading: Reading, context: ReadingContext): ReadingCheck[] {
  const checks = reading.problems.map(({ reason, entity, because }) =>
    unresolved("output", entity ?? "run", reason, withDcgmCode(reading, because, context)),
  );
  if (context.truncated) checks.unshift(unresolved("output", "run", "truncated", "the output went over its limit and was cut"));
  if (reading.understood !== "complete" && checks.length === 0)
    checks.push(
      unresolved(
        "output",
        "run",
        reading.understood === "partial" ? "truncated" : "no_data",
        `the output is ${reading.understood.replace(/_/g, " ")}`,
      ),
    );
  return checks;
}

/** The diagnostic ends with its negative code as an unsigned byte: 226 is -30. */
function withDcgmCode(reading: Reading, because: string, { exitCode }: ReadingContext): string {
  if (reading.parser !== "dcgm-diag" || reading.understood !== "did_not_run" || because.includes("DCGM code")) return because;
  return typeof exitCode === "number" && exitCode > 127
    ? because.replace("did not run", `did not run (DCGM code ${exitCode - 256})`)
    : because;
}

function judgeStatements(reading: Reading): ReadingCheck[] {
  return reading.statements.map(({ test, entity, says, because }): ReadingCheck => {
    if (says === "pass") return { name: test, entity, verdict: "pass", reason: "as_expected", because };
    if (says === "fail")
      return { name: test, entity, verdict: "fail", reason: test === "validation" ? "wrong_output" : "not_as_expected", because };
    if (says === "skipped") return { name: test, entity, verdict: "not_judged", reason: "no_data", because };
    return unresolved(test, entity, "warned", because);
  });
}

/** Count first (R2.2). A tool that counts GPUs and does not say how many has not shown that they are there. */
function judgeCount(reading: Reading, { gpus }: ReadingContext): ReadingCheck[] {
  if (gpus === null) return [];
  const counts = reading.values
    .filter((value) => value.name === "gpus")
    .map(({ entity, value, text }) => ({ entity, value: value ?? 0, text }));
  const ranks = reading.conditions["ranks"];
  if (ranks !== undefined) counts.push({ entity: "run", value: Number(ranks), text: "" });
  if (counts.length === 0) {
    const counting = reading.parser !== "text" && reading.parser !== "slurm";
    return counting ? [unresolved("gpus", "run", "too_few", `how many of ${gpus} GPUs reported is not known`)] : [];
  }
  return counts.map(({ entity, value, text }) => {
    if (value === gpus)
      return { name: "gpus", entity, verdict: "pass", reason: "as_expected", because: `${value} of ${gpus} GPUs reported` };
    const seen = new Set(text.split(","));
    const missing = Array.from({ length: Math.min(gpus, 1024) }, (_, index) => String(index)).filter((index) => !seen.has(index));
    const named = text !== "" && value < gpus && missing.length > 0 ? `, missing index ${missing.join(", ")}` : "";
    return unresolved("gpus", entity, value < gpus ? "too_few" : "sources_disagree", `${value} of ${gpus} GPUs reported${named}`);
  });
}

/** Applies to whatever measures: good numbers of a run whose results nobody checked are no pass. */
function judgeCorrectness(reading: Reading): ReadingCheck[] {
  if (reading.parser !== "nccl-tests") return [];
  const { wrongValues } = reading;
  if (wrongValues === null)
    return [
      unresolved(
        "correctness",
        "run",
        "no_data",
        `correctness is unknown${reading.notes.some((note) => /validation/.test(note)) ? ": validation was switched off" : ""}`,
      ),
    ];
  if (wrongValues > 0 && reading.statements.some((one) => one.test === "validation")) return [];
  if (wrongValues > 0)
    return [{ name: "correctness", entity: "run", verdict: "fail", reason: "wrong_output", because: `${wrongValues} wrong values` }];
  return [{ name: "correctness", entity: "run", verdict: "pass", reason: "as_expected", because: "no wrong value" }];
}

function judgeExpectation(reading: Reading, expectation: Expectation | null, context: ReadingContext): ReadingCheck[] {
  if (expectation === null) return [];
  const subject = seenUnnamed(reading);
  if (subject === null)
    return [unresolved("expected", "run", "no_data", `the output of ${reading.parser} has no single value: name the one that is expected`)];
  if ("absent" in expectation && subject.seen.length === 0 && context.exitCode !== 0)
    return [unresolved("expected", "run", "no_data", "nothing was printed, and the command did not end with exit code 0")];
  const expected = reading.parser === "text" ? (context.lines ?? null) : context.gpus;
  const whole = "equals" in expectation && reading.parser === "text" && subject.seen.length > 1;
  const seen = whole
    ? [{ entity: "output", text: subject.seen.map((line) => line.text).join("\n"), number: null, missing: false }]
    : subject.seen;
  return judgeValues(subject.name, seen, expectation, { expected: whole ? null : expected, before: null }).map((one) => ({
    name: "expected",
    ...one,
  }));
}

function judgeNamed(reading: Reading, { named, gpus }: ReadingContext): ReadingCheck[] {
  return Object.entries(named ?? {}).flatMap(([name, expectation]) => {
    const seen = seenNamed(reading, name);
    const perGpu =
      seen.length > 0 && seen.every((value) => /^gpu \d+$/.test(value.entity)) && !/^gpu ?\d+\./.test(name) && !/^\d+\./.test(name);
    return judgeValues(name, seen, expectation, { expected: perGpu ? gpus : null, before: null }).map((one) => ({ name, ...one }));
  });
}

/** Rows without a header could be anything, a shell's complaint too: only what is expected of them tells (R2.3). */
function judgeUnnamed(reading: Reading): ReadingCheck[] {
  const told = reading.values.filter((value) => value.name !== "gpus");
  if (reading.parser !== "nvidia-smi" || told.length === 0 || !told.every((value) => /^(?:value|column \d+)$/.test(value.name))) return [];
  return [unresolved("output", "run", "no_data", "its columns have no names, and nothing is expected of them")];
}

/** R2.4: non-zero is a failure, unless the tool did not run: then nobody knows. 126 and 127 are the shell's own "could not start it". */
function judgeExit(reading: Reading, { exitCode }: ReadingContext): ReadingCheck[] {
  if (exitCode === undefined) return [];
  if (exitCode === null) return [unresolved("exit", "run", "tool_error", "it has no exit code")];
  if (exitCode === 0)
    return reading.parser === "text"
      ? [{ name: "exit", entity: "run", verdict: "pass", reason: "as_expected", because: "ended with exit code 0" }]
      : [];
  const because = `ended with exit code ${exitCode}`;
  if (reading.understood === "did_not_run" || reading.understood === "not_this_format" || exitCode === 126 || exitCode === 127)
    return [unresolved("exit", "run", "tool_error", because)];
  return [{ name: "exit", entity: "run", verdict: "fail", reason: "not_as_expected", because }];
}

/** Nothing was asked: whole and not empty is all there is to say. Of a plain text, nothing at all. */
function judgeContent(reading: Reading, _context: ReadingContext): ReadingCheck {
  if (reading.parser === "text")
    return unresolved(
      "expected",
      "run",
      "no_data",
      reading.values.length === 0 ? "the output is empty" : "nothing is expected of this text",
    );
  const entries = reading.values.length + reading.measurements.length + reading.statements.length;
  if (entries === 0) return unresolved("output", "run", "no_data", "the output holds no entry");
  return { name: "output", entity: "run", verdict: "pass", reason: "as_expected", because: "the whole output was understood" };
}

/** Fail beats unresolved beats pass: an output that shows a fault shows it, whatever else is missing. */
function combine(reading: Reading, checks: readonly ReadingCheck[], context: ReadingContext): Judged {
  const rests = context.rests ?? { observations: [] };
  const failed = checks.filter((check) => check.verdict === "fail");
  const open = checks.filter((check) => check.verdict === "unresolved");
  const deciding = failed[0] ?? open[0];
  const facts = checks.find((check) => check.facts)?.facts ?? {};
  if (deciding) {
    const because = [...new Set([...failed, ...open].map((check) => check.because))];
    const more = because.length > 12 ? `; and ${because.length - 12} more` : "";
    return {
      verdict: failed.length > 0 ? "fail" : "unresolved",
      reason: deciding.reason,
      because: because.slice(0, 12).join("; ") + more,
      facts: deciding.facts ?? facts,
      rests,
    };
  }
  return { verdict: "pass", reason: "as_expected", because: sayPass(reading, checks), facts, rests };
}

function sayPass(reading: Reading, checks: readonly ReadingCheck[]): string {
  const rows = new Set(reading.measurements.map((one) => one.bucket)).size;
  const limits = checks.filter((check) => check.verdict === "pass" && check.facts).map((check) => check.because);
  if (rows > 0) {
    const { ranks, hosts } = reading.conditions;
    const size = `${rows} rows${ranks ? `, ${ranks} ranks` : ""}${hosts ? ` on ${hosts} hosts` : ""}, no wrong value`;
    return [size, ...limits].join("; ");
  }
  const passed = checks.filter((check) => check.verdict === "pass");
  return [passed.length === 1 && passed[0] ? passed[0].because : `all ${passed.length} checks passed`, ...reading.notes].join("; ");
}
