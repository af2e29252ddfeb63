import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runEvidenceRead } from "./evidence-read";

const SAMPLES = path.resolve("lib/parsers/samples");
type Answer = {
  parser: string;
  verdict: string;
  reason: string;
  checks: { name: string; entity: string; verdict: string; reason: string }[];
  reading: {
    measurements: { bucket: number }[];
    noise: { count: number };
    values: { name: string; entity: string; text: string }[];
  } | null;
  rejected: boolean;
};

/** Files by name: a sample, or a text given here. */
async function run(
  files: Record<string, string>,
  ...argv: string[]
): Promise<{ exit: number; answer: Answer; raw: string; complaint: string }> {
  let raw = "";
  let complaint = "";
  const exit = await runEvidenceRead([...argv, "--json"], {
    readFile: async (name) =>
      name in files ? new TextEncoder().encode(files[name]) : new Uint8Array(await readFile(path.join(SAMPLES, name))),
    out: (text) => (raw += text),
    err: (text) => (complaint += text),
  });
  return { exit, answer: JSON.parse(raw) as Answer, raw, complaint };
}

const BASE = ["--baseline", "nccl_ok_v2.19.txt"];

describe("every covered sample has its expected verdict", () => {
  test.each<[string, string, string[], number, string]>([
    ["nccl-tests", "nccl_ok_v2.19.txt", [], 0, "5 rows, 16 ranks on 2 hosts"],
    ["nccl-tests", "nccl_ok_v2.19.txt", BASE, 0, "100.00 %"],
    ["nccl-tests", "nccl_ok_legacy_v2.10.txt", ["--baseline", "nccl_ok_legacy_v2.10.txt"], 0, "8 ranks"],
    ["nccl-tests", "nccl_ok_legacy_v2.10.txt", BASE, 2, "ranks 8, baseline 16"],
    ["nccl-tests", "nccl_degraded.txt", [...BASE, "--limit", "busbw > 95%"], 1, "not above 95 %"],
    ["nccl-tests", "nccl_degraded.txt", [...BASE, "--limit", "busbw > 90%"], 1, "not above 90 %"],
    ["nccl-tests", "nccl_ok_single_node_not_comparable.txt", BASE, 2, "ranks 8, baseline 16"],
    ["nccl-tests", "nccl_truncated.txt", [], 2, "no footer, test failure reported"],
    ["nccl-tests", "nccl_oob_failed.txt", BASE, 1, "18 wrong values in 4294967296-byte in-place row"],
    ["nccl-tests", "nccl_unchecked_na.txt", BASE, 2, "correctness is unknown: validation was switched off"],
    ["nccl-tests", "nccl_mpirun_prefixed.txt", [], 0, "4 rows, 16 ranks"],
    ["nccl-tests", "nccl_no_rows_zero_avg.txt", [], 2, "no result rows"],
    ["nccl-tests", "nccl_json_v3_ok.json", BASE, 0, "98.99 %"],
    ["nccl-tests", "nccl_json_v1_unclosed.json.partial", [], 2, "not closed at character 3539"],
    ["dcgm-diag", "dcgm_v2_r2_pass.json", ["--expect-gpus", "4"], 0, "checks passed"],
    ["dcgm-diag", "dcgm_v3_r2_pass.json", ["--expect-gpus", "4"], 0, "memory_bandwidth skipped"],
    ["dcgm-diag", "dcgm_v3_r2_table_fail.txt", ["--expect-gpus", "4"], 1, "memory failed on gpu 2"],
    ["dcgm-diag", "dcgm_v4_r2_pass.json", ["--expect-gpus", "4"], 0, "checks passed"],
    ["dcgm-diag", "dcgm_v4_r2_pass.json", ["--expect-gpus", "8"], 2, "4 of 8 GPUs reported, missing index 4, 5, 6, 7"],
    ["dcgm-diag", "dcgm_v4_r2_fail.json", [], 1, "pcie failed on gpu 1"],
    ["dcgm-diag", "dcgm_v4_r2_missing_test_and_skip.json", [], 2, "required test pcie missing; required test memory skipped"],
    ["dcgm-diag", "dcgm_v4_runtime_error.json", [], 2, "diagnostic did not run (DCGM code -30)"],
    ["dcgm-diag", "dcgm_v4_r2_table_fail.txt", [], 1, "pcie failed on gpu 1: Link width below expected: seen x8, expected x16"],
    ["nvidia-smi", "nvidia_smi_query_gpu.csv", [], 1, "gpu 1: PCIe link width 8, expected 16"],
    ["nvidia-smi", "nvidia_smi_error_outputs.txt", [], 2, "reboot pending"],
    ["prometheus", "prom_empty_vector.json", [], 2, "the answer is empty"],
    ["prometheus", "prom_error.json", [], 2, "timeout"],
    ["prometheus", "prom_scalar.json", [], 2, "value 0 belongs to no node"],
    ["prometheus", "prom_vector_with_nan.json", [], 2, '"NaN" is not a number'],
    [
      "slurm",
      "scontrol_show_node_25.05.txt",
      ["--expect", "gpu-a07.state=drained", "--expect", "gpu-a08.state=draining", "--expect", "gpu-a09.state=powered_down"],
      0,
      "3 checks",
    ],
    [
      "slurm",
      "scontrol_show_node_20.11.txt",
      ["--expect", "gpu-b01.state=draining", "--expect", "gpu-b02.state=down", "--expect", "gpu-b02.responding=no"],
      0,
      "3 checks",
    ],
    ["slurm", "scontrol_show_node_20.11.txt", ["--expect", "gpu-b01.state=idle"], 1, '"draining" instead of "idle"'],
    ["slurm", "scontrol_show_nodes_error_v0.0.43.json", [], 2, "Protocol authentication error"],
    ["slurm", "sinfo_v0.0.37_nodes_old.json", ["--expect", "gpu-b01.state=draining"], 0, "draining"],
    ["slurm", "squeue_v0.0.39_job_state_string.json", ["--expect", "gpu-b01.busy=yes"], 0, "yes"],
    ["slurm", "sinfo_N_l.txt", [], 0, "understood"],
  ])("%s of %s %j exits %i", async (parser, file, flags, exit, reason) => {
    const seen = await run({}, "--parser", parser, file, ...flags);
    expect(seen.answer.reason).toContain(reason);
    expect(seen.exit).toBe(exit);
    expect(seen.answer.verdict).toBe(["pass", "fail", "unresolved"][exit]);
    expect(seen.answer.rejected).toBe(false);
  });

  test("six distinct nodes in sinfo's list of rows per partition", async () => {
    const { answer } = await run({}, "--parser", "slurm", "sinfo_N_l.txt");
    expect(answer.reading?.values.filter((value) => value.name === "state")).toHaveLength(6);
  });

  test("GPU 2 fails, GPU 1 fails, utilisation of GPU 3 is unresolved", async () => {
    const { answer } = await run({}, "--parser", "nvidia-smi", "nvidia_smi_query_gpu.csv");
    const of = (entity: string) => answer.checks.filter((check) => check.entity === entity).map((check) => check.verdict);
    expect(of("gpu 2")).toContain("fail");
    expect(of("gpu 1")).toEqual(["fail"]);
    expect(of("gpu 3")).toEqual(["unresolved"]);
  });
});

describe("the contract of the command", () => {
  test("a bandwidth without a baseline is not judged and lowers nothing", async () => {
    const { answer } = await run({}, "--parser", "nccl-tests", "nccl_ok_v2.19.txt");
    expect(answer.checks.find((check) => check.name === "busbw")?.verdict).toBe("not_judged");
    expect(Object.keys(answer).sort()).toEqual(["checks", "parser", "reading", "reason", "rejected", "verdict"]);
    expect(Object.keys(answer.checks[0] ?? {}).sort()).toEqual(["entity", "name", "reason", "verdict"]);
  });

  test("R2.5: a number exactly on the limit fails, whatever the arithmetic", async () => {
    const base = (await readFile(path.join(SAMPLES, "nccl_ok_v2.19.txt"), "utf8")).replace(/\d+\.\d\d( +0)/g, "460.00$1");
    const exact = base.replace(/460\.00/g, "414.00");
    const above = base.replace(/460\.00/g, "414.10");
    const files = { base, exact, above };
    const limit = ["--baseline", "base", "--limit", "busbw > 90%"];
    const onIt = await run(files, "--parser", "nccl-tests", "exact", ...limit);
    expect([onIt.exit, onIt.answer.reason]).toEqual([1, expect.stringContaining("exactly on the limit above 90 %")]);
    const over = await run(files, "--parser", "nccl-tests", "above", ...limit);
    expect([over.exit, over.answer.reason]).toEqual([0, expect.stringContaining("90.02 %")]);
    expect(over.answer.reason).toContain("would fail fabric validation");
  });

  test("a percentage without a baseline is unresolved, and so is a baseline that is none", async () => {
    expect((await run({}, "--parser", "nccl-tests", "nccl_ok_v2.19.txt", "--limit", "busbw > 95%")).exit).toBe(2);
    const spoilt = await run({}, "--parser", "nccl-tests", "nccl_ok_v2.19.txt", "--baseline", "nccl_truncated.txt");
    expect([spoilt.exit, spoilt.answer.reason]).toEqual([2, expect.stringContaining("the baseline cannot be used")]);
    const wrong = await run({}, "--parser", "nccl-tests", "nccl_ok_v2.19.txt", "--baseline", "nccl_oob_failed.txt");
    expect(wrong.answer.reason).toContain("18 wrong values");
  });

  test("R2.3: an output from before the last reboot, of an unknown time, or too old is unresolved", async () => {
    const before = await run({}, "--parser", "nccl-tests", "nccl_json_v3_ok.json", "--last-reboot", "2026-11-20T00:00:00Z");
    expect([before.exit, before.answer.reason]).toEqual([2, expect.stringContaining("before the last reboot")]);
    const unclear = await run({}, "--parser", "nccl-tests", "nccl_json_v3_ok.json", "--last-reboot", "2026-11-18T02:00:00Z");
    expect([unclear.exit, unclear.answer.reason]).toEqual([2, expect.stringContaining("in a zone that is not named")]);
    expect((await run({}, "--parser", "nccl-tests", "nccl_json_v3_ok.json", "--last-reboot", "2026-11-17T02:00:00Z")).exit).toBe(0);
    expect((await run({}, "--parser", "nccl-tests", "nccl_ok_v2.19.txt", "--last-reboot", "2026-11-17T02:00:00Z")).exit).toBe(2);
    const old = await run({}, "--parser", "nccl-tests", "nccl_json_v3_ok.json", "--now", "2026-12-18T02:00:00Z");
    expect([old.exit, old.answer.reason]).toEqual([2, expect.stringContaining("too old")]);
  });

  test("plain text: every line, one value, absent, named lines", async () => {
    const files = { versions: "570.172.08\n570.172.08\n", other: "570.172.08\n570.10\n", fields: "state: ok\nlinks = 8\n", empty: "" };
    const text = (...argv: string[]) => run(files, "--parser", "text", ...argv);
    expect((await text("versions", "--expect", "every=570.172.08")).exit).toBe(0);
    expect((await text("versions", "--expect", "every=570.172.08", "--expect-gpus", "8")).answer.reason).toContain(
      "2 of 8 values of line reported",
    );
    expect((await text("other", "--expect", "every=570.172.08")).exit).toBe(1);
    expect((await text("versions", "--expect", "every=570.172.8")).exit).toBe(1);
    expect((await text("fields", "--expect", "state=ok", "--expect", "links=>= 8")).exit).toBe(0);
    expect((await text("fields", "--expect", "speed=8")).exit).toBe(2);
    expect((await text("empty", "--expect", "every=570.172.08")).exit).toBe(2);
    expect((await text("empty", "--expect", "absent=true")).exit).toBe(2);
    expect((await text("empty", "--expect", "absent=true", "--exit-code", "0")).exit).toBe(0);
  });

  test("wrong calls exit 2 with rejected: true and a clear sentence", async () => {
    for (const argv of [
      ["--parser", "bogus", "nccl_ok_v2.19.txt"],
      ["--parser", "text"],
      ["--parser", "text", "a", "b"],
      ["--parser", "text", "no-such-file", "--expect", "every=1"],
      ["--parser", "nccl-tests", "nccl_ok_v2.19.txt", "--limit", "busbw about 95%"],
      ["--parser", "text", "prom_error.json", "--expect", "=x"],
      ["--parser", "text", "prom_error.json", "--expect-gpus", "eight"],
      ["--parser", "text", "prom_error.json", "--now", "yesterday"],
      ["--parser", "text", "prom_error.json", "--now", "2026-11-18T02:00:00"],
      ["--parser", "text", "prom_error.json", "--nonsense"],
    ]) {
      const seen = await run({}, ...argv);
      expect([seen.exit, seen.answer.rejected, seen.answer.reading], argv.join(" ")).toEqual([2, true, null]);
      expect(seen.answer.reason.length).toBeGreaterThan(10);
    }
  });

  test("foreign, binary and oversized input is rejected, never a stack trace", async () => {
    const files = { binary: "a\u0000b", foreign: "hello world\n", deep: `{"nodes":${"[".repeat(5000)}`, long: "x".repeat(70_000) };
    for (const [parser, name] of [
      ["nccl-tests", "binary"],
      ["nccl-tests", "foreign"],
      ["slurm", "deep"],
      ["text", "long"],
      ["dcgm-diag", "foreign"],
    ] as const) {
      const seen = await run(files, "--parser", parser, name);
      expect([seen.exit, seen.answer.rejected], `${parser} ${name}`).toEqual([2, true]);
      expect(seen.raw).not.toMatch(/\bat \S+:\d+:\d+/);
    }
  });

  test("secrets of the environment in a JSON report never appear", async () => {
    expect((await run({}, "--parser", "nccl-tests", "nccl_json_v3_ok.json")).raw).not.toContain("must-be-redacted");
  });

  test("without --json it prints sentences, and no control character of the input", async () => {
    let out = "";
    const exit = await runEvidenceRead(["--parser", "text", "x", "--expect", "every=ok"], {
      readFile: () => Promise.resolve(new TextEncoder().encode("\u001b[31mred\n")),
      out: (text) => (out += text),
      err: () => undefined,
    });
    expect(exit).toBe(1);
    expect(out).toMatch(/^FAIL {2}line of line 1 is/);
    expect(out).not.toContain("\u001b");
  });
});
