import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { blocks } from "@/lib/core/check/verdict";
import { Policy } from "@/lib/core/change/policy";
import { parserNamed } from "@/lib/parsers/parsers";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aHash } from "@/lib/testing/a-hash";
import { aBaseline, aLockedJob } from "@/lib/testing/a-job";
import { NOW, at } from "@/lib/testing/a-moment";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aTarget, aValue } from "@/lib/testing/a-target";
import { ruled } from "@/lib/testing/ruling-said";
import { inStep, passed, someTargets } from "@/lib/testing/some-targets";
import { aWorld, live, NO_FAULTS, type World } from "@/lib/testing/small-world";
import { applyMoves } from "./apply-moves";
import { decide } from "./decide";

const policy = Policy.parse({});
const sample = (name: string): Uint8Array => readFileSync(`lib/parsers/samples/${name}`);
const text = (lines: string): Uint8Array => new TextEncoder().encode(lines);
const drained = aValue(aService({ state: "drained", reason: "clearance:chg-1/gpu002", ours: true }));

type Shown = {
  readonly parser: string;
  readonly output: Uint8Array;
  readonly exitCode: number;
  readonly change?: Partial<Snapshot["change"]>;
};
/** gpu002, a member of the running batch 1, validates: its only command has ended with this output. */
function validating({ parser, output, exitCode, change = {} }: Shown): Snapshot {
  const check = aCheck({
    targetId: aTarget(2).id,
    name: "shown",
    verdict: null,
    judgedAt: null,
    spec: { kind: "command", run: "x", on: "node", parser, expect: null, baseline: null, groupSize: null, timeoutMs: 60_000, gpus: 8 },
  });
  const [layer] = passed(2);
  const ended = aCommand(2, {
    kind: "start_run",
    request: {
      kind: "start_run",
      node: "gpu002",
      nodes: ["gpu002"],
      checkId: check.id,
      job: null,
      run: "x",
      on: "node",
      parser,
      timeoutMs: 1,
    },
    outcome: anOutcome({ exitCode, outputSha: aHash("output"), reading: parserNamed(parser)?.(output) }),
  });
  return aSnapshot({
    change,
    targets: someTargets(
      { t1: { step: "accepted", updateBegan: true }, t2: { ...inStep("validating"), updateBegan: true, service: drained } },
      4,
    ),
    batches: [aBatch(1, { state: "running" })],
    commands: [ended],
    checks: [...aPreflight(), ...(layer === undefined ? [] : [layer]), check],
  });
}
const MISMATCH = text("Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.133\n");
/** The sample's memory test passes on GPU 3 with the warning of case 11. */
function allocationWarning(): Uint8Array {
  type Tests = readonly { readonly name: string; readonly results: readonly { warnings?: unknown }[] }[];
  const report = JSON.parse(new TextDecoder().decode(sample("dcgm_v4_r2_pass.json"))) as {
    "DCGM Diagnostic": { test_categories: readonly { tests: Tests }[] };
  };
  const memory = report["DCGM Diagnostic"].test_categories.flatMap((one) => one.tests).find((one) => one.name === "memory")?.results[3];
  if (memory === undefined) throw new Error("the sample has no memory test of GPU 3");
  memory.warnings = [{ error_category: 10, error_id: 56, error_severity: 2, warning: "could not allocate" }];
  return text(JSON.stringify(report));
}
const findings = (s: Snapshot) => decide(s, policy, NOW).moves.flatMap((m) => (m.move === "finding" ? [m] : []));

describe("what is unresolved holds its node: nothing is retried, nobody goes back, no rollback (R2.6)", () => {
  it.each<[string, Shown, RegExp]>([
    ["case 4: no result rows", { parser: "nccl-tests", output: sample("nccl_no_rows_zero_avg.txt"), exitCode: 0 }, /no result rows/],
    [
      "case 11: a pass that could not allocate",
      { parser: "dcgm-diag", output: allocationWarning(), exitCode: 0 },
      /passed with allocation warning/,
    ],
    ["case 12: exit 226 without output", { parser: "dcgm-diag", output: text(""), exitCode: 226 }, /did not run \(DCGM code -30\)/],
    [
      "case 12: exit 226 with a runtime error",
      { parser: "dcgm-diag", output: sample("dcgm_v4_runtime_error.json"), exitCode: 226 },
      /did not run \(DCGM code -30\)/,
    ],
    ["case 22: the library was replaced", { parser: "nvidia-smi", output: MISMATCH, exitCode: 18 }, /reboot pending: library 570\.133/],
  ])("%s", (_title, shown, because) => {
    const s = validating(shown);
    const first = decide(s, policy, NOW);
    expect(ruled(first)).toEqual(expect.arrayContaining([expect.stringMatching(/shown: unresolved$/), "t2>unresolved"]));
    expect(first.commands).toEqual([]);
    const later = applyMoves(s, first.moves, first.commands, NOW);
    const check = later.checks.find((c) => c.name === "shown");
    expect(check?.because).toMatch(because);
    expect(check !== undefined && blocks(check, NOW)).toBe(true);
    const again = decide(later, policy, at(60));
    expect([again.commands, again.moves.filter((m) => m.move === "target" || m.move === "batch" || m.move === "change")]).toEqual([[], []]);
  });
});

describe("case 22: finding 'change outside the plan'", () => {
  const shown = { parser: "nvidia-smi", output: MISMATCH, exitCode: 18 };
  it("is made where no step touches the driver, once, and an approver has to accept it", () => {
    const s = validating({ ...shown, change: { type: "os_kernel" } });
    const [finding, ...others] = findings(s);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ kind: "outside_plan", on: 102, blocks: true, acceptedBy: "approver" });
    expect(finding?.because).toMatch(/^change outside the plan on gpu002: reboot pending: library 570\.133, loaded module differs/);
    const ruling = decide(s, policy, NOW);
    const read = applyMoves(s, ruling.moves, ruling.commands, NOW);
    const asked = { ...read, checks: read.checks.map((c) => (c.name === "shown" ? { ...c, verdict: null, judgedAt: null } : c)) };
    expect(findings(asked)).toEqual([]);
  });
  it("is not made by the driver update itself, whose reboot is still to come", () => expect(findings(validating(shown))).toEqual([]));
  it("is made by a tool's version that differs from the baseline's and that the plan does not change (R3.4)", () => {
    const output = sample("nccl_ok_v2.19.txt");
    const versions = { ...parserNamed("nccl-tests")?.(output).versions, nccl: "2.18.1" };
    const baseline = aBaseline({ summary: { ...aBaseline().summary, versions } });
    const s = { ...validating({ parser: "nccl-tests", output, exitCode: 0 }), jobs: [aLockedJob({ baseline })] };
    expect(findings(s).map((f) => f.because)).toEqual([expect.stringMatching(/undeclared change: NCCL 2\.18\.1 to 2\.28\.5/)]);
  });
});

describe("case 3: a fast run with wrong results", () => {
  it("is not kept as a baseline, and the update does not start", () => {
    const baselineCheck = aCheck({
      gate: "baseline",
      name: "baseline runs",
      verdict: null,
      judgedAt: null,
      spec: { kind: "acceptance", jobId: "nccl-h100@3", purpose: "baseline" },
    });
    const runs = [1, 2, 3].map((repeat) => {
      const key = `chg-1/gpu001/start_run${repeat === 1 ? "" : `.${repeat}`}/1`;
      const job = {
        id: "nccl-h100@3",
        purpose: "baseline" as const,
        script: "x",
        name: `r${repeat}`,
        reservation: "r",
        repeat,
        parser: null,
      };
      const request = {
        kind: "start_run" as const,
        node: "gpu001",
        nodes: ["gpu001"],
        checkId: baselineCheck.id,
        job,
        run: null,
        on: "node" as const,
        parser: null,
        timeoutMs: 1,
      };
      return { key, command: aCommand(1, { key: key as never, kind: "start_run", request, outcome: anOutcome({ exitCode: 0 }) }), repeat };
    });
    const s = aSnapshot({
      jobs: [aLockedJob({ baseline: null, capture: true })],
      reports: [],
      readings: [],
      targets: someTargets({ t1: { ...inStep("measuring"), updateBegan: false, service: drained } }, 4),
      batches: [aBatch(1, { state: "running" })],
      commands: runs.map((r) => r.command),
      checks: [...aPreflight(), baselineCheck],
      runs: runs.map(({ key, repeat }) => ({
        id: key,
        jobId: "nccl-h100@3",
        classId: 1,
        node: "gpu001",
        purpose: "baseline",
        repeat,
        commandKey: key,
        startedAt: at(-4),
        finishedAt: at(-3),
        hostEpoch: 1,
        context: { node: "gpu001", nodes: ["gpu001"], ranks: 8, sizes: [], versions: {} },
        execution: { exitCode: 0, signal: null, requeues: 0, wallMs: 60_000, throughScheduler: true },
        output: { sha256: aHash("x"), correct: "wrong", because: "18 wrong values in 4294967296-byte in-place row" },
        inputSha: aHash("input"),
        appVersion: "nccl-tests 2.19.6",
        evidenceSha: aHash("x"),
        measurements: [{ metric: "busbw", bucket: 4294967296, placement: "in-place", value: 470, unit: "GB/s" }],
      })),
    });
    const words = ruled(decide(s, policy, NOW));
    expect(words).toEqual(expect.arrayContaining(["t1/1/baseline runs: fail"]));
    expect(words.some((w) => w === "baseline" || w.includes("start_update") || w === "t1>updating")).toBe(false);
  });
});

describe("case 19: a node drained before the plan", () => {
  it("stays drained with its reason; the resume list is the others", () => {
    const all = aSnapshot({
      change: { advance: "auto" },
      targets: [1, 2, 3, 4].map((n) => aTarget(n, n === 1 ? { role: "member" } : {})),
      batches: [aBatch(1, { askedFor: true })],
      jobs: [],
    });
    const s: Snapshot = {
      ...all,
      change: { ...all.change, profile: "rehearsal" },
      plan: { ...all.plan, telemetry: [], validate: [], acceptance: [] },
    };
    const begun = aWorld(s, () => 0.5, NO_FAULTS);
    let world: World = {
      ...begun,
      nodes: new Map([...begun.nodes].map(([name, n]) => [name, name === "gpu003" ? { ...n, drain: "bad DIMM" } : n])),
    };
    for (let looks = 0; looks < 400 && world.s.targets.some((t) => t.step !== "accepted" && t.step !== "withheld"); looks += 1)
      world = live(world).world;
    expect(world.s.targets.map((t) => [t.name, t.step])).toEqual([
      ["gpu001", "accepted"],
      ["gpu002", "accepted"],
      ["gpu003", "withheld"],
      ["gpu004", "accepted"],
    ]);
    expect(world.s.targets[2]?.because).toContain("bad DIMM");
    expect(world.sent.flatMap((key) => (/\/release\//.test(key) ? [key.split("/")[1]] : [])).sort()).toEqual([
      "gpu001",
      "gpu002",
      "gpu004",
    ]);
    expect(world.nodes.get("gpu003")?.drain).toBe("bad DIMM");
  });
});
