import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgeReading } from "@/lib/core/check/judge-reading";
import { readNcclTests } from "./nccl-tests";

const sample = (name: string): string => readFileSync(`lib/parsers/samples/${name}`, "utf8");
const read = (text: string) => readNcclTests(new TextEncoder().encode(text));
const verdict = (text: string) => judgeReading(read(text), null, null, null, { gpus: null }).judged;
const OK = sample("nccl_ok_v2.19.txt");
const JSON_OK = sample("nccl_json_v3_ok.json");

test("versions, conditions and every row of the current table", () => {
  const reading = read(OK);
  expect(reading.versions).toEqual({ "nccl-tests": "2.19.6", nccl: "2.28.5" });
  expect(reading.conditions).toEqual({
    ranks: "16",
    hosts: "2",
    gpu: "NVIDIA H100 80GB HBM3",
    collective: "all_reduce_perf",
    type: "float",
    redop: "sum",
    sizes: "536870912,1073741824,2147483648,4294967296,8589934592",
  });
  const busbw = reading.measurements.filter((one) => one.metric === "busbw");
  expect(busbw).toHaveLength(10);
  expect(busbw[0]).toEqual({ metric: "busbw", bucket: 536870912, placement: "out-of-place", value: 364.01, unit: "GB/s" });
  expect(reading.wrongValues).toBe(0);
});

test("case 5: a launcher's prefix and noise between rows change nothing, and the noise is counted", () => {
  const prefixed = sample("nccl_mpirun_prefixed.txt");
  const plain = prefixed.replace(/^\[1,\d+\]<stdout>:/gm, "");
  expect(read(prefixed)).toEqual(read(plain));
  expect(
    read(prefixed)
      .measurements.filter((one) => one.metric === "busbw" && one.placement === "in-place")
      .map((one) => one.bucket),
  ).toEqual([536870912, 1073741824, 2147483648, 4294967296]);
  expect(read(prefixed).noise).toMatchObject({
    count: 2,
    lines: [expect.stringContaining("Permanently added"), expect.stringContaining("NCCL INFO")],
  });
  expect(read(OK.replace(/^/gm, "0: ")).measurements).toEqual(read(OK).measurements);
});

test("case 4: no rows is no bandwidth of 0", () => {
  const reading = read(sample("nccl_no_rows_zero_avg.txt"));
  expect(reading.measurements).toEqual([]);
  expect(reading.values.map((value) => value.name)).not.toContain("average_busbw");
  expect(verdict(sample("nccl_no_rows_zero_avg.txt"))).toMatchObject({
    verdict: "unresolved",
    because: expect.stringContaining("no result rows"),
  });
});

test("case 3: the sizes and placement of wrong values are named", () => {
  expect(read(sample("nccl_oob_failed.txt"))).toMatchObject({
    wrongValues: 18,
    statements: [{ because: "18 wrong values in 4294967296-byte in-place row" }],
  });
});

test("'0 OK' with validation off says nothing about correctness", () => {
  expect(read(sample("nccl_unchecked_na.txt")).wrongValues).toBeNull();
  expect(read(OK.replace("validation: 1", "validation: 0")).wrongValues).toBeNull();
});

test("up to 2.10 the last column is a deviation, not a count", () => {
  const reading = read(sample("nccl_ok_legacy_v2.10.txt"));
  expect([reading.wrongValues, reading.statements.length, reading.conditions["ranks"]]).toEqual([0, 0, "8"]);
  expect(read(sample("nccl_ok_legacy_v2.10.txt").replace(": 0 OK", ": 3 FAILED")).wrongValues).toBe(3);
});

describe("forms of the table", () => {
  const rows = (table: string) =>
    OK.replace(/^ +\d{6,}.*\n/gm, "")
      .replace(/^# Out of bounds/m, `${table}\n# Out of bounds`)
      .replace("maxBytes 8589934592", "maxBytes 536870912");
  const line = "   536870912     134217728     float     sum      -1";

  test("an in-place half alone is known by its position", () => {
    const reading = read(rows(`${line}${" ".repeat(32)}  2768.99  193.89  363.54       0`));
    expect(reading.measurements.map((one) => one.placement)).toEqual(["in-place", "in-place", "in-place"]);
    expect(read(rows(`${line}  2765.42  194.14  364.01       0`)).measurements[0]?.placement).toBe("out-of-place");
  });

  test("exponents, a trailing time and wrong counts as exponents", () => {
    const reading = read(rows(`${line}  1.2e+07  194.14  364.01   1e+06  2768.99  193.89  363.54       0 2026-11-18 02:11:04`));
    expect(reading.wrongValues).toBe(1_000_000);
    expect(reading.measurements.find((one) => one.metric === "time")?.value).toBe(12_000_000);
  });

  test("CPU timing and per-iteration columns", () => {
    const header =
      "#       size         count      type   redop    root  cputime   algbw   busbw  #wrong   i_min   i_max   i_p99   i_cv%  cputime   algbw   busbw  #wrong   i_min   i_max   i_p99   i_cv%";
    const text = rows(`${line}  10.0  194.14  364.01  0  1  2  3  4  11.0  193.89  363.54  0  1  2  3  4`).replace(/^# +size .*$/m, header);
    const reading = read(text);
    expect(reading.conditions["timing"]).toBe("cpu");
    expect(reading.measurements.filter((one) => one.metric === "busbw").map((one) => one.value)).toEqual([364.01, 363.54]);
  });

  test.each<[string, string]>([
    ["a row with a log line glued into it", `${line}  2765.42  194.14 NCCL WARN x 364.01       0  2768.99  193.89  363.54       0`],
    ["a row with a column less", `${line}  2765.42  194.14  364.01       0  2768.99  193.89  363.54`],
    ["a value that is no number", `${line}  2765.42  19x.14  364.01       0  2768.99  193.89  363.54       0`],
    ["a bandwidth that is nan", `${line}  2765.42  194.14  nan       0  2768.99  193.89  363.54       0`],
    [
      "a size in two rows",
      `${line}  2765.42  194.14  364.01       0  2768.99  193.89  363.54       0\n${line}  2765.42  194.14  364.01       0  2768.99  193.89  363.54       0`,
    ],
  ])("%s is an error, never a skipped row", (_name, table) => {
    expect(verdict(rows(table)).verdict).toBe("unresolved");
  });
});

test.each<[string, string, string]>([
  [
    "fewer GPUs than asked",
    "gpu-a07: Test CUDA failure\nInvalid number of GPUs: 8 requested but only 7 were found.\n",
    "7 of 8 GPUs were found",
  ],
  [
    "a range reduced by the tool",
    OK.replace("# Using devices", "# Reducing maxBytes to 4294967296 due to memory limitation\n# Using devices"),
    "range of sizes was reduced",
  ],
  ["a last error line", `${OK}# error: peer closed\n`, "peer closed"],
  ["a missed minimum", OK.replace("368.529 ", "368.529 FAILED"), "minimum for the average"],
  ["two runs in one file", OK + OK, "more than one run"],
  ["a failure although there is a footer", `${OK}gpu-a08: Test NCCL failure common.cu:523 'x'\n`, "test failure reported"],
])("%s is unresolved", (_name, text, because) => {
  expect(verdict(text)).toMatchObject({ verdict: "unresolved", because: expect.stringContaining(because) });
});

test("headers and library of different NCCL versions are noted", () => {
  expect(read(OK.replace("nccl-library=22805", "nccl-library=22703")).notes).toContain("built against NCCL 2.28.5 but loads 2.27.3");
});

describe("JSON reports", () => {
  const json = (change: (report: Record<string, unknown>) => void): string => {
    const report = JSON.parse(JSON_OK) as Record<string, unknown>;
    change(report);
    return JSON.stringify(report);
  };
  type Rows = { in_place: { bus_bw: unknown; nwrong: unknown }; out_of_place: unknown }[];

  test("version 3 says what the text says", () => {
    expect(read(JSON_OK).conditions).toEqual(read(OK).conditions);
    expect(read(JSON_OK)).toMatchObject({ wrongValues: 0, understood: "complete", versions: { nccl: "2.28.5" } });
  });

  test("versions 1 and 2 and the misspelled average are read; another version is refused", () => {
    const misspelled = json((report) => {
      report["version"] = 1;
      report["average_bus_bandwidith"] = { bandwidith: 367.8, okay: "unchecked" };
      delete report["average_bus_bandwidth"];
    });
    expect(verdict(misspelled).verdict).toBe("pass");
    expect(verdict(json((report) => (report["version"] = 4)))).toMatchObject({ reason: "unsupported_version" });
  });

  test.each<[string, string, string]>([
    ["no end", json((report) => delete report["end_time"]), "aborted"],
    ["no footer objects", json((report) => delete report["out_of_bounds"]), "aborted"],
    ["errors", json((report) => (report["errors"] = ["peer lost"])), "peer lost"],
    ["nan as a text", json((report) => ((report["results"] as Rows)[0]!.in_place.bus_bw = "nan")), "not a number"],
    ["nwrong null", json((report) => ((report["results"] as Rows)[0]!.in_place.nwrong = null)), "correctness is unknown"],
    ["a bare inf", JSON_OK.replace('"bus_bw":364.307353', '"bus_bw":inf'), "not JSON at character"],
    ["cut", JSON_OK.slice(0, 2000), "not closed at character 2000"],
  ])("%s is unresolved", (_name, text, because) => {
    expect(verdict(text)).toMatchObject({ verdict: "unresolved", because: expect.stringContaining(because) });
  });

  test("an in-place run has no out-of-place half, and wrong values fail", () => {
    const half = json((report) => (report["results"] as Rows).forEach((row) => (row.out_of_place = null)));
    expect(read(half).measurements.every((one) => one.placement === "in-place")).toBe(true);
    expect(verdict(json((report) => ((report["results"] as Rows)[4]!.in_place.nwrong = 3)))).toMatchObject({
      verdict: "fail",
      because: "3 wrong values in 8589934592-byte in-place row",
    });
  });
});
