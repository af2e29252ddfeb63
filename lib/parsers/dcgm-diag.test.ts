import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgeReading, type ReadingContext } from "@/lib/core/check/judge-reading";
import { readDcgmDiag } from "./dcgm-diag";

const sample = (name: string): string => readFileSync(`lib/parsers/samples/${name}`, "utf8");
const read = (text: string) => readDcgmDiag(new TextEncoder().encode(text));
const judge = (text: string, context: Partial<ReadingContext> = {}) => judgeReading(read(text), null, null, null, { gpus: 4, ...context });
type Result = { entity_id: number; status: string; warnings?: unknown; [key: string]: unknown };
type Test = { name: string; results: (Result | null)[]; test_summary?: { status: string } };
type Report = { "DCGM Diagnostic": { test_categories: { category: string; tests: Test[] }[] }; entity_groups: { entities: unknown[] }[] };
const changed = (change: (tests: Record<string, Test>, report: Report) => void): string => {
  const report = JSON.parse(sample("dcgm_v4_r2_pass.json")) as Report;
  const tests = Object.fromEntries(report["DCGM Diagnostic"].test_categories.flatMap((one) => one.tests).map((one) => [one.name, one]));
  change(tests, report);
  return JSON.stringify(report);
};

test("versions of DCGM and driver are read from every era that prints them", () => {
  expect(read(sample("dcgm_v3_r2_pass.json")).versions).toEqual({ dcgm: "3.3.9", driver: "550.127.05" });
  expect(read(sample("dcgm_v4_r2_pass.json")).versions).toEqual({ dcgm: "4.4.1", driver: "570.133.20" });
  expect(read(sample("dcgm_v3_r2_table_fail.txt")).versions).toEqual({ dcgm: "3.3.9", driver: "550.127.05" });
});

test("case 11: a pass with an allocation warning is unresolved for that GPU", () => {
  const text = changed((tests) => {
    const result = tests["memory"]!.results[3]!;
    result.warnings = [{ error_category: 10, error_id: 56, error_severity: 2, warning: "could not allocate" }];
  });
  const { judged, checks } = judge(text);
  expect(judged).toMatchObject({ verdict: "unresolved", because: "passed with allocation warning" });
  expect(checks.find((check) => check.name === "memory" && check.entity === "gpu 3")?.verdict).toBe("unresolved");
});

test("case 12: exit 226 without a report and with a runtime error are both 'did not run (DCGM code -30)'", () => {
  for (const text of ["", sample("dcgm_v4_runtime_error.json")]) {
    const { judged } = judge(text, { exitCode: 226 });
    expect([judged.verdict, judged.reason]).toEqual(["unresolved", "tool_error"]);
    expect(judged.because).toContain("diagnostic did not run (DCGM code -30)");
  }
  expect(judge("Error: unable to establish a connection to the specified host: localhost\n").judged.verdict).toBe("unresolved");
});

describe("R2.2: what is left out is no pass", () => {
  test.each<[string, string, string]>([
    [
      "a required test left out",
      changed((_, report) => report["DCGM Diagnostic"].test_categories.splice(2, 1)),
      "required test memory missing",
    ],
    ["a GPU left out of one test", changed((tests) => tests["memory"]!.results.pop()), "memory: no result for gpu 3"],
    ["a hole in the results", changed((tests) => (tests["pcie"]!.results[1] = null)), "pcie: no result for gpu 1"],
    ["an empty status", changed((tests) => (tests["pcie"]!.results[1]!.status = "")), "no known status"],
    ["one GPU skipped", changed((tests) => (tests["pcie"]!.results[1]!.status = "Skip")), "pcie skipped on gpu 1"],
    ["a warning", changed((tests) => (tests["pcie"]!.results[1]!.status = "Warn")), "pcie warned on gpu 1"],
    ["no categories", '{"DCGM Diagnostic":{"test_categories":[]}}', "required test software missing"],
    ["an old host engine", '{"DCGM GPU Diagnostic":{"runtime_error":"API version mismatch"}}', "API version mismatch"],
  ])("%s", (_name, text, because) => {
    expect(judge(text).judged).toMatchObject({ verdict: "unresolved", because: expect.stringContaining(because) });
  });

  test("a fifth GPU in the inventory, or one GPU less, is counted first", () => {
    expect(judge(sample("dcgm_v4_r2_pass.json"), { gpus: 5 }).judged.because).toContain("4 of 5 GPUs reported, missing index 4");
    expect(judge(sample("dcgm_v2_r2_pass.json"), { gpus: 3 }).judged.verdict).toBe("unresolved");
  });
});

test("severity is never a filter: a 'config' error of a failed test is a failure", () => {
  expect(judge(sample("dcgm_v4_r2_fail.json")).judged).toMatchObject({ verdict: "fail", because: expect.stringContaining("(error 46)") });
});

test("a summary that says Fail fails although no entity does", () => {
  expect(judge(changed((tests) => (tests["memory"]!.test_summary = { status: "Fail" }))).judged.verdict).toBe("fail");
});

test("several iterations are judged together, and lines before the document are kept", () => {
  const one = sample("dcgm_v4_r2_pass.json");
  const both = (second: string) => `{"iterations":[${one},${second}],"Overall Result":"Pass"}`;
  expect(judge(both(one)).judged.verdict).toBe("pass");
  expect(judge(both(sample("dcgm_v4_r2_fail.json"))).judged.verdict).toBe("fail");
  expect(read(`nv-hostengine started\n${one}`).noise).toEqual({ count: 1, lines: ["nv-hostengine started"] });
});

test("tables: both forms name the GPUs that failed, and the passing one passes", () => {
  const old = sample("dcgm_v3_r2_table_fail.txt");
  const failed = read(old).statements.filter((one) => one.says === "fail");
  expect(failed.map((one) => [one.test, one.entity])).toEqual([
    ["memory", "gpu 1"],
    ["memory", "gpu 2"],
  ]);
  const passing = old
    .split("\n")
    .filter((line) => !/Warning|enough to wrap/.test(line))
    .join("\n")
    .replace("Fail - GPUs: 1, 2", "Pass - All       ");
  expect(judge(passing).judged.verdict).toBe("pass");
  expect(judge(passing.replace("Pass - All       ", "Warn - GPU: 1    ")).judged).toMatchObject({ verdict: "unresolved" });
  const newer = sample("dcgm_v4_r2_table_fail.txt")
    .replace(/GPU1: Fail/, "GPU1: Pass")
    .replace(/pcie( +)\| Fail/, "pcie$1| Pass");
  expect(judge(newer).judged).toMatchObject({ verdict: "unresolved", because: expect.stringContaining("passed with warning") });
});
