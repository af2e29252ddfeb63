import { worstRow, type RowComparison } from "@/lib/core/check/compare-rows";
import { sayChanged } from "@/lib/core/check/comparable";
import type { Judged, VerdictReason } from "@/lib/core/check/verdict";
import type { Baseline } from "./baseline";
import { compareRuns, type ComparedRuns } from "./compare";
import type { AcceptanceJobSpec } from "./job";
import type { AcceptanceReport, Finding4 } from "./report";
import type { Run } from "./run";

export type RunsInput = {
  /** The repeats of one purpose on one node, finished or not. */ readonly runs: readonly Run[];
  readonly job: AcceptanceJobSpec;
  /** null: there is none for this class. */ readonly baseline: Baseline | null;
  /** false: these runs are to become the baseline, so there is nothing to compare them with. */ readonly compare: boolean;
  /** Readable class of the node, for the reason. */ readonly className: string;
  /** Names of versions that the plan itself changes ("driver"). */ readonly declared: readonly string[];
  /** A named person judged the requeues and differences; null: nobody has (R3.4, S3). */ readonly requeueJudged: {
    readonly accepted: boolean;
    readonly because: string;
  } | null;
  /** Ids of runs whose parser found that the tool did not run (R2.4); left out: of none. */ readonly notRun?: readonly string[];
};
export type JudgedRuns = Pick<AcceptanceReport, "comparable" | "correct" | "executed" | "compared" | "metrics" | "undeclared"> & {
  readonly judged: Judged;
};

/**
 * Decides what the runs of an acceptance job show: comparable, correct, executed, compared (R3.4). May look at the runs, the locked job and its baseline.
 * Never calls anything better than its worst judged row, compares across classes, inputs or versions, or uses the speed of a wrong run.
 * Example: 414.1 of 460 GB/s -> compared passes with "would fail fabric validation"; 414.0 is exactly on the limit and fails.
 */
export function judgeRuns(input: RunsInput): JudgedRuns {
  const { baseline, runs } = input;
  const own = baseline !== null && runs.every((run) => run.classId === baseline.classId) ? baseline : null;
  const compared = own === null || !input.compare ? null : compareRuns(runs, own.summary, input.job.metrics, input.declared);
  const findings = {
    comparable: isComparable(input, own, compared),
    correct: isCorrect(input),
    executed: isExecuted(input),
  };
  const numbers = isFastEnough(input, compared, findings);
  const used = findings.correct.verdict !== "fail" && findings.comparable.verdict === "pass";
  const metrics = (compared?.metrics ?? []).map((metric) => (used ? metric : { ...metric, judged: false }));
  const all = { ...findings, compared: numbers };
  return { ...all, metrics, undeclared: compared?.undeclared ?? [], judged: combine(all, input) };
}

function isComparable({ runs, job, compare, className }: RunsInput, baseline: Baseline | null, compared: ComparedRuns | null): Finding4 {
  if (!compare) return pass("these runs are the baseline");
  if (baseline === null || compared === null) return open("no_baseline", `no baseline for class ${className}`);
  const differing = [...compared.differing];
  for (const run of runs) {
    if (run.appVersion !== baseline.appVersion) differing.push(`application version ${run.appVersion}, baseline ${baseline.appVersion}`);
    if (run.inputSha !== baseline.inputSha)
      differing.push(`input ${run.inputSha.slice(0, 12)}, baseline ${baseline.inputSha.slice(0, 12)}`);
    if (run.jobId !== baseline.jobId) differing.push(`acceptance job ${run.jobId}, baseline ${baseline.jobId}`);
  }
  const told = [...new Set(differing)];
  if (told.length > 0) return open("not_comparable", `not comparable: ${told.join("; ")}`);
  return runs.length === 0
    ? open("no_data", "no run")
    : pass(`same class, job, input, application version and conditions as the baseline of ${job.name}`);
}

/** Nothing ran: neither its end nor its output says anything about the node. 126 and 127 are the shell's own "could not start it" (R2.4). */
const didNotRun = (run: Run, { notRun }: RunsInput): boolean => {
  const exit = run.execution?.exitCode;
  return exit === 126 || exit === 127 || (exit !== 0 && (notRun ?? []).includes(run.id));
};
const sayNotRun = (run: Run): Finding4 =>
  open("tool_error", `the tool of run ${run.repeat} did not run: exit code ${run.execution?.exitCode ?? "unknown"}`);

function isCorrect(input: RunsInput): Finding4 {
  const { runs } = input;
  if (runs.length === 0) return open("no_data", "no run");
  const none = runs.find((run) => didNotRun(run, input));
  if (none) return sayNotRun(none);
  const wrong = runs.find((run) => run.output?.correct === "wrong");
  if (wrong)
    return { verdict: "fail", reason: "wrong_output", because: `wrong output in run ${wrong.repeat}: ${wrong.output?.because ?? ""}` };
  const unknown = runs.find((run) => run.output?.correct !== "correct");
  if (unknown) return open("no_data", `correctness of run ${unknown.repeat} is unknown: ${unknown.output?.because ?? "no output"}`);
  return pass(`output of all ${runs.length} runs is as expected`);
}

function isExecuted(input: RunsInput): Finding4 {
  const { runs, job, requeueJudged } = input;
  for (const run of runs) {
    const { execution } = run;
    if (execution === null) return open("no_data", `nobody can say how run ${run.repeat} ended`);
    if (didNotRun(run, input)) return sayNotRun(run);
    if (execution.signal !== null)
      return { verdict: "fail", reason: "not_as_expected", because: `run ${run.repeat} ended by signal ${execution.signal}` };
    if (execution.exitCode === null) return open("no_data", `run ${run.repeat} has no exit code`);
    if (execution.exitCode !== 0)
      return { verdict: "fail", reason: "not_as_expected", because: `run ${run.repeat} ended with exit code ${execution.exitCode}` };
    if (execution.wallMs > job.timeLimitMs)
      return open(
        "timed_out",
        `run ${run.repeat} took ${Math.round(execution.wallMs / 1000)} s, its limit is ${Math.round(job.timeLimitMs / 1000)} s`,
      );
  }
  const distinct = new Set(runs.map((run) => run.repeat)).size;
  if (distinct < job.repeats) return open("too_few", `${distinct} of ${job.repeats} runs`);
  const requeued = runs.filter((run) => (run.execution?.requeues ?? 0) > 0);
  const path = runs.every((run) => run.execution?.throughScheduler) ? "" : "; scheduler path not exercised";
  if (requeued.length === 0) return pass(`all ${distinct} runs ended with exit code 0${path}`);
  const times = requeued.reduce((sum, run) => sum + (run.execution?.requeues ?? 0), 0);
  const told = `ended with exit code 0, but was requeued ${times === 1 ? "once" : `${times} times`}`;
  if (requeueJudged === null) return open("requeued", `${told}: needs a judgement by the person named for it`);
  return requeueJudged.accepted
    ? { verdict: "pass", reason: "judged_by_person", because: `${told}; judged acceptable: ${requeueJudged.because}` }
    : { verdict: "fail", reason: "judged_by_person", because: `${told}; judged not acceptable: ${requeueJudged.because}` };
}

function isFastEnough(
  { compare, job, runs, baseline }: RunsInput,
  compared: ComparedRuns | null,
  findings: { readonly comparable: Finding4; readonly correct: Finding4 },
): Finding4 {
  if (!compare) return pass("nothing to compare with: these runs are the baseline");
  if (findings.comparable.verdict !== "pass" || compared === null)
    return open(findings.comparable.reason, `not compared: ${findings.comparable.because}`);
  if (findings.correct.verdict === "fail") return open("wrong_output", "not used: the output is wrong");
  const [missing] = compared.unjudged;
  const worst = job.metrics.flatMap((metric) => worstRow(compared.rows.filter((row) => row.row.metric === metric.name)) ?? []);
  const failed = worst.find((row) => row.verdict === "fail");
  const versions = runs[0]?.context.versions ?? {};
  if (failed) {
    const changed = sayChanged(versions, baseline?.summary.versions ?? {});
    return {
      verdict: "fail",
      reason: failed.onLimit ? "on_the_limit" : "beyond_limit",
      because: `${failed.because}${changed ? `; changed since the baseline: ${changed}` : ""}`,
    };
  }
  if (missing !== undefined) return open("no_data", `no judged row of ${missing}`);
  const unjudged = worst.find((row) => row.verdict === "unresolved");
  if (unjudged) return open("not_comparable", unjudged.because);
  if (worst.length === 0) return open("no_data", "the job names no metric to compare");
  return pass(worst.map(sayRow).join("; "));
}

const sayRow = (row: RowComparison): string => (row.verdict === "warning" ? `${row.because}: would fail fabric validation` : row.because);

function combine(findings: Readonly<Record<"comparable" | "correct" | "executed" | "compared", Finding4>>, { runs }: RunsInput): Judged {
  const all = [findings.correct, findings.executed, findings.compared, findings.comparable];
  const worst = all.find((one) => one.verdict === "fail") ?? all.find((one) => one.verdict === "unresolved");
  const last = runs.at(-1);
  const rests = { observations: [], ...(last === undefined ? {} : { runId: last.id }) };
  const facts = { seen: runs.length };
  if (worst) return { ...worst, facts, rests };
  return { verdict: "pass", reason: findings.executed.reason, because: findings.compared.because, facts, rests };
}

const pass = (because: string): Finding4 => ({ verdict: "pass", reason: "as_expected", because });
const open = (reason: VerdictReason, because: string): Finding4 => ({ verdict: "unresolved", reason, because });
