import { summarise } from "@/lib/core/acceptance/baseline";
import type { BaselineRows } from "@/lib/core/check/judge-limits";
import { judgeReading, type JudgedReading } from "@/lib/core/check/judge-reading";
import { unresolvedCheck, type ReadingCheck } from "@/lib/core/check/reading-check";
import type { Reading } from "@/lib/core/check/reading";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import { PARSERS, type Parser } from "@/lib/parsers/parsers";
import { EVIDENCE_USAGE, readEvidenceOptions, type EvidenceOptions } from "./evidence-options";
import { inToolWords } from "./evidence-words";
import { printable, printableLines } from "./printable";
import { prometheusReading } from "./prometheus-reading";
import { slurmReading } from "./slurm-reading";

/** What the command touches of the world. */
type EvidenceIo = {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

const READERS: Readonly<Record<string, Parser>> = { ...PARSERS, slurm: slurmReading, prometheus: prometheusReading };
const EXITS = { pass: 0, fail: 1, unresolved: 2 } as const;
/** What a bandwidth is held against where a baseline is given and no limit: the looser one; 95 % is said beside it (R3.5). */
const DEFAULT_LIMIT = { busbw: { above: { percentOfBaseline: 90 } } };

/** The documented form; `reason` is a sentence. `rejected`: the input or the call was refused, so there is no reading to judge. */
type EvidenceAnswer = {
  readonly parser: string;
  readonly verdict: keyof typeof EXITS;
  readonly reason: string;
  readonly checks: readonly {
    readonly name: string;
    readonly entity: string;
    readonly verdict: ReadingCheck["verdict"];
    readonly reason: string;
  }[];
  readonly reading: Reading | null;
  readonly rejected: boolean;
};

/**
 * `evidence read --parser NAME FILE [--baseline RAW_FILE] [--limit "busbw > 95%"] [--expect NAME=VALUE]... [--expect-gpus N] [--now T] [--last-reboot T]
 * [--exit-code N] [--json]`: what is understood of an output and how it is judged. Pure but for the files it reads. Exit 0 pass, 1 fail, 2 unresolved or unusable.
 */
export async function runEvidenceRead(argv: readonly string[], io: EvidenceIo): Promise<number> {
  const asked = readEvidenceOptions(argv, Object.keys(READERS));
  if (!asked.ok) {
    const json = argv.includes("--json");
    if (!json) io.err(`${printableLines(asked.error)}\n${EVIDENCE_USAGE}\n`);
    else say(io, true, refused(parserIn(argv), asked.error));
    return EXITS.unresolved;
  }
  const options = asked.value;
  const answer = await answerOf(options, io);
  say(io, options.json, answer);
  return EXITS[answer.verdict];
}

async function answerOf(options: EvidenceOptions, io: EvidenceIo): Promise<EvidenceAnswer> {
  const read = READERS[options.parser];
  const bytes = await readBytes(io, options.file);
  if (read === undefined || !bytes.ok) return refused(options.parser, bytes.ok ? `no parser ${options.parser}` : bytes.error);
  const reading = read(bytes.value);
  const baseline = options.baseline === null ? ok(null) : await readBaseline(io, read, options.baseline);
  const { judged, checks } = judge(reading, options, baseline.ok ? baseline.value : null);
  const spoilt = baseline.ok ? [] : [unresolvedCheck("baseline", "run", "no_baseline", baseline.error)];
  const because = [judged.verdict === "pass" && spoilt.length > 0 ? "" : judged.because, ...spoilt.map((check) => check.because)];
  return {
    parser: options.parser,
    verdict: judged.verdict === "fail" ? "fail" : judged.verdict === "pass" && spoilt.length === 0 ? "pass" : "unresolved",
    reason: because.filter((text) => text !== "").join("; "),
    checks: [...checks, ...spoilt].map((check) => ({
      name: check.name,
      entity: check.entity,
      verdict: check.verdict,
      reason: check.because,
    })),
    reading,
    rejected: reading.understood === "not_this_format",
  };
}

function judge(reading: Reading, options: EvidenceOptions, baseline: BaselineRows | null): JudgedReading {
  const limits = Object.keys(options.limits).length > 0 || baseline === null ? options.limits : DEFAULT_LIMIT;
  return judgeReading(reading, options.expectation, limits, baseline, {
    gpus: options.expectGpus,
    lines: reading.parser === "text" ? options.expectGpus : null,
    named: inToolWords(reading, options.named),
    lastRebootAt: options.lastReboot,
    now: options.now,
    ...(options.exitCode === null ? {} : { exitCode: options.exitCode }),
  });
}

/** A raw output of the same tool. One that is not whole or not correct is no baseline, and the comparison is open. */
async function readBaseline(io: EvidenceIo, read: Parser, path: string): Promise<Result<BaselineRows | null, string>> {
  const bytes = await readBytes(io, path);
  if (!bytes.ok) return err(`the baseline cannot be used: ${bytes.error}`);
  const summary = summarise(read(bytes.value));
  return typeof summary === "string" ? err(`the baseline cannot be used: ${summary}`) : ok(summary);
}

async function readBytes(io: EvidenceIo, path: string): Promise<Result<Uint8Array, string>> {
  try {
    return ok(await io.readFile(path));
  } catch (error) {
    return err(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const refused = (parser: string, reason: string): EvidenceAnswer => ({
  parser,
  verdict: "unresolved",
  reason,
  checks: [],
  reading: null,
  rejected: true,
});
const parserIn = (argv: readonly string[]): string => argv[argv.indexOf("--parser") + 1] ?? "";

function say(io: EvidenceIo, json: boolean, answer: EvidenceAnswer): void {
  if (json) return io.out(`${JSON.stringify(answer, null, 2)}\n`);
  const lines = [`${answer.verdict.toUpperCase()}  ${printable(answer.reason)}`];
  for (const check of answer.checks)
    lines.push(
      `  ${check.verdict.replace("_", " ").padEnd(11)} ${printable(check.name)} (${printable(check.entity)}): ${printable(check.reason)}`,
    );
  for (const note of answer.reading?.notes ?? []) lines.push(`  note        ${printable(note)}`);
  const noise = answer.reading?.noise.count ?? 0;
  if (noise > 0) lines.push(`  ${noise} lines belong to no structure:`);
  for (const line of answer.reading?.noise.lines ?? []) lines.push(`    ${printable(line)}`);
  io.out(`${lines.join("\n")}\n`);
}
