import { describe, expect, test } from "vitest";
import type { Baseline } from "./baseline";
import { compareRuns } from "./compare";
import type { AcceptanceJobSpec } from "./job";
import { judgeRuns, type RunsInput } from "./judge-run";
import type { Run } from "./run";

const SIZE = 8589934592;
const H = 1;
const G = 2;
const JOB: AcceptanceJobSpec = {
  name: "nccl-h100",
  version: 3,
  class: "h100-8/cx7-8/ubuntu22",
  script: "srun all_reduce_perf",
  inputs: [],
  applicationVersion: "V1",
  expectOutput: { kind: "parser", parser: "nccl-tests", values: { wrongValues: { equals: "0" } } },
  metrics: [
    {
      name: "busbw",
      parser: "nccl-tests",
      unit: "GB/s",
      direction: "higher",
      warn: { above: { percentOfBaseline: 95 } },
      fail: { above: { percentOfBaseline: 90 } },
    },
  ],
  repeats: 1,
  timeLimitMs: 600_000,
  judges: ["workloadOwner"],
};
const FABRIC: AcceptanceJobSpec = {
  ...JOB,
  metrics: JOB.metrics.map((metric) => ({ ...metric, warn: null, fail: { above: { percentOfBaseline: 95 } } })),
};

const run = (busbw: number, changes: Partial<Run> = {}): Run => ({
  id: "run-1",
  jobId: "job-3",
  classId: H,
  node: "gpu001",
  purpose: "canary",
  repeat: 1,
  commandKey: "c/t/start_run/1",
  startedAt: new Date("2026-12-01T10:00:00Z"),
  finishedAt: new Date("2026-12-01T10:05:00Z"),
  hostEpoch: 2,
  context: { node: "gpu001", nodes: ["gpu001", "gpu002"], ranks: 16, sizes: [SIZE], versions: { driver: "570.133", nccl: "2.19.3" } },
  execution: { exitCode: 0, signal: null, requeues: 0, wallMs: 300_000, throughScheduler: true },
  output: { sha256: "y", correct: "correct", because: "no wrong value" },
  inputSha: "input-x",
  appVersion: "V1",
  evidenceSha: "e",
  measurements: [{ metric: "busbw", bucket: SIZE, placement: "in-place", value: busbw, unit: "GB/s" }],
  ...changes,
});
const baselineOf = (busbw: number, versions: Record<string, string> = { driver: "570.133", nccl: "2.19.3" }): Baseline => ({
  id: "b1",
  jobId: "job-3",
  classId: H,
  changeId: null,
  summary: {
    rows: [{ metric: "busbw", bucket: SIZE, placement: "in-place", unit: "GB/s", median: busbw, spread: 1, runs: 5, values: [busbw] }],
    conditions: { ranks: "16", sizes: String(SIZE) },
    versions,
  },
  inputSha: "input-x",
  appVersion: "V1",
  capturedAt: new Date("2026-11-01T00:00:00Z"),
  retiredAt: null,
});
const judge = (one: Run | readonly Run[], changes: Partial<RunsInput> = {}) =>
  judgeRuns({
    runs: Array.isArray(one) ? one : [one as Run],
    job: JOB,
    baseline: baselineOf(460),
    compare: true,
    className: "H",
    declared: ["driver"],
    requeueJudged: null,
    ...changes,
  });

describe("S3: baseline limits and comparability", () => {
  test.each<[string, number, AcceptanceJobSpec, string, string, string]>([
    ["414.0 after HCA firmware is exactly on 90 %", 414.0, JOB, "fail", "on_the_limit", "90.00 %"],
    ["414.1 after HCA firmware", 414.1, JOB, "pass", "as_expected", "90.02 %"],
    ["437.0 at fabric validation is exactly on 95 %", 437.0, FABRIC, "fail", "on_the_limit", "95.00 %"],
    ["437.1 at fabric validation", 437.1, FABRIC, "pass", "as_expected", "95.02 %"],
  ])("%s", (_name, busbw, job, verdict, reason, because) => {
    const { compared, judged } = judge(run(busbw), { job });
    expect([compared.verdict, compared.reason, judged.verdict]).toEqual([verdict, reason, verdict]);
    expect(compared.because).toContain(because);
  });

  test("414.1 passes with 'would fail fabric validation', and its row is a warning", () => {
    const judged = judge(run(414.1));
    expect(judged.compared.because).toContain("would fail fabric validation");
    expect(judged.metrics[0]).toMatchObject({ verdict: "warning", judged: true, warnBelowPct: 95, failAtOrBelowPct: 90 });
    expect(judged.judged.rests.runId).toBe("run-1");
  });

  test("450.0 with wrong output fails on correctness; its speed is shown and not used", () => {
    const judged = judge(run(450, { output: { sha256: "z", correct: "wrong", because: "hash Z instead of Y" } }));
    expect(judged.judged).toMatchObject({ verdict: "fail", reason: "wrong_output" });
    expect(judged.correct.because).toContain("hash Z instead of Y");
    expect(judged.compared).toMatchObject({ verdict: "unresolved", because: "not used: the output is wrong" });
    expect(judged.metrics.map((metric) => metric.judged)).toEqual([false]);
  });

  test("450.0 run with V2 is unresolved, not comparable", () => {
    const judged = judge(run(450, { appVersion: "V2" }));
    expect(judged.comparable).toMatchObject({ verdict: "unresolved", reason: "not_comparable" });
    expect(judged.comparable.because).toContain("application version V2, baseline V1");
    expect(judged.judged.verdict).toBe("unresolved");
  });

  test("450.0 from a node of class G has no baseline", () => {
    const judged = judge(run(450, { classId: G }), { className: "G" });
    expect(judged.comparable).toEqual({ verdict: "unresolved", reason: "no_baseline", because: "no baseline for class G" });
    expect(judged.judged).toMatchObject({ verdict: "unresolved", reason: "no_baseline" });
  });

  test("450.0 requeued once needs the judgement of the person named for it", () => {
    const requeued = run(450, { execution: { exitCode: 0, signal: null, requeues: 1, wallMs: 1, throughScheduler: true } });
    const open = judge(requeued);
    expect(open.executed).toMatchObject({ verdict: "unresolved", reason: "requeued" });
    expect(open.executed.because).toContain("requeued once");
    expect(open.judged.verdict).toBe("unresolved");
    const accepted = judge(requeued, { requeueJudged: { accepted: true, because: "node of another job failed" } });
    expect([accepted.executed.reason, accepted.judged.verdict]).toEqual(["judged_by_person", "pass"]);
    expect(judge(requeued, { requeueJudged: { accepted: false, because: "not clean" } }).judged.verdict).toBe("fail");
  });

  test.each<[string, Partial<Run>, string]>([
    ["another input", { inputSha: "input-z" }, "input input-z, baseline input-x"],
    ["another rank count", { context: { ...run(0).context, ranks: 8 } }, "ranks 8, baseline 16"],
    ["an unknown rank count", { context: { ...run(0).context, ranks: null } }, "ranks unknown, baseline 16"],
    ["another size list", { context: { ...run(0).context, sizes: [SIZE, 2 * SIZE] } }, "sizes"],
  ])("R3.4: %s is not comparable", (_name, changes, because) => {
    const { comparable, judged } = judge(run(450, changes));
    expect([comparable.verdict, comparable.reason, judged.verdict]).toEqual(["unresolved", "not_comparable", "unresolved"]);
    expect(comparable.because).toContain(because);
  });
});

describe("public cases", () => {
  const driver = { driver: "535.104.05", nccl: "2.19.3" };
  const newer = run(328, {
    context: { ...run(0).context, versions: { driver: "570.133.20", nccl: "2.19.3" } },
    output: { sha256: "y", correct: "unknown", because: "validation was switched off" },
  });

  test("case 1: 328 of 362 GB/s fails at 95 %, names the driver, and correctness is unresolved", () => {
    const judged = judge(newer, { baseline: baselineOf(362, driver), job: FABRIC });
    expect(judged.compared.verdict).toBe("fail");
    expect(judged.compared.because).toContain("(ratio 0.906)");
    expect(judged.compared.because).toContain("changed since the baseline: driver 535.104.05 to 570.133.20");
    expect(judged.correct.verdict).toBe("unresolved");
  });

  test("case 1: at 90 % the bandwidth passes and the node is still not released", () => {
    const judged = judge(newer, { baseline: baselineOf(362, driver) });
    expect([judged.compared.verdict, judged.correct.verdict, judged.judged.verdict]).toEqual(["pass", "unresolved", "unresolved"]);
  });

  test("case 2: an undeclared NCCL version is a finding beside the verdict", () => {
    const candidate = run(0.93 * 460, { context: { ...run(0).context, versions: { driver: "570.133", nccl: "2.20.3" } } });
    const judged = judge(candidate, { declared: ["hca_firmware"] });
    expect(judged.compared.verdict).toBe("pass");
    expect(judged.undeclared).toEqual([{ what: "NCCL", before: "2.19.3", after: "2.20.3" }]);
  });
});

describe("R3.4: executed, and the worst row decides", () => {
  test.each<[string, Partial<Run>, string, string]>([
    ["exit code 3", { execution: { exitCode: 3, signal: null, requeues: 0, wallMs: 1, throughScheduler: true } }, "fail", "exit code 3"],
    [
      "a tool that could not be started (R2.4)",
      { execution: { exitCode: 127, signal: null, requeues: 0, wallMs: 1, throughScheduler: true } },
      "unresolved",
      "did not run: exit code 127",
    ],
    ["a signal", { execution: { exitCode: null, signal: "9", requeues: 0, wallMs: 1, throughScheduler: true } }, "fail", "signal 9"],
    ["no ending", { execution: null }, "unresolved", "nobody can say"],
    [
      "too long",
      { execution: { exitCode: 0, signal: null, requeues: 0, wallMs: 700_000, throughScheduler: true } },
      "unresolved",
      "limit is 600 s",
    ],
  ])("%s", (_name, changes, verdict, because) => {
    const { executed } = judge(run(450, changes));
    expect([executed.verdict, executed.because]).toEqual([verdict, expect.stringContaining(because)]);
  });

  test("a tool that did not run printed no result, so its output is not wrong either (R2.3, R2.4)", () => {
    const output = { sha256: "n", correct: "wrong" as const, because: "another text" };
    const execution = { exitCode: 1, signal: null, requeues: 0, wallMs: 1, throughScheduler: true };
    const judged = judge(run(450, { output, execution }), { notRun: ["run-1"] });
    expect([judged.correct.verdict, judged.executed.verdict, judged.judged.verdict]).toEqual(["unresolved", "unresolved", "unresolved"]);
    expect(judge(run(450, { output, execution })).judged.verdict).toBe("fail");
  });

  test("fewer repeats than the job asks for are unresolved; none at all is unresolved in every finding", () => {
    expect(judge(run(450), { job: { ...JOB, repeats: 5 } }).executed).toMatchObject({ verdict: "unresolved", reason: "too_few" });
    const none = judge([]);
    expect([none.comparable, none.correct, none.executed, none.judged].map((one) => one.verdict)).toEqual(Array(4).fill("unresolved"));
  });

  test("not through the scheduler is said", () => {
    expect(
      judge(run(450, { execution: { exitCode: 0, signal: null, requeues: 0, wallMs: 1, throughScheduler: false } })).executed.because,
    ).toContain("scheduler path not exercised");
  });

  test("a baseline run is judged without a comparison", () => {
    expect(judge(run(450), { compare: false, baseline: null }).judged.verdict).toBe("pass");
  });

  const row = (bucket: number, value: number, placement = "in-place") => ({ metric: "busbw", bucket, placement, value, unit: "GB/s" });
  const MIB = 1024 * 1024;
  const summary = (rows: ReturnType<typeof row>[]) => ({
    rows: rows.map(({ value, ...rest }) => ({ ...rest, median: value, spread: 0, runs: 1, values: [value] })),
    conditions: { ranks: "16", sizes: "1" },
    versions: {},
  });

  test("small rows are shown and never decide; the worst large one does; a row without a partner is unresolved", () => {
    const base = summary([row(MIB, 100), row(512 * MIB, 400), row(SIZE, 460)]);
    const measured = run(0, { measurements: [row(MIB, 10), row(512 * MIB, 350), row(SIZE, 460), row(SIZE, 460, "out-of-place")] });
    const rows = compareRuns([measured], base, JOB.metrics).metrics;
    expect(rows.map((one) => [one.bucket, one.judged, one.verdict])).toEqual([
      [MIB, false, "fail"],
      [512 * MIB, true, "fail"],
      [SIZE, true, "pass"],
      [SIZE, true, "unresolved"],
    ]);
  });

  test("where all rows are small the largest size decides", () => {
    const base = summary([row(MIB, 100), row(2 * MIB, 200)]);
    const rows = compareRuns([run(0, { measurements: [row(MIB, 10), row(2 * MIB, 200)] })], base, JOB.metrics).metrics;
    expect(rows.map((one) => one.judged)).toEqual([false, true]);
  });

  test("repeats are judged by their median", () => {
    const runs = [300, 450, 451].map((busbw, index) => run(busbw, { id: `r${index}`, repeat: index + 1 }));
    const judged = judge(runs, { job: { ...JOB, repeats: 3 } });
    expect(judged.metrics[0]?.measured).toEqual({ median: 450, spread: 151, runs: 3 });
    expect(judged.judged.verdict).toBe("pass");
  });
});
