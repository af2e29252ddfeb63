import { describe, expect, test } from "vitest";
import { judgeReading } from "@/lib/core/check/judge-reading";
import { prometheusReading } from "./prometheus-reading";

type Series = { metric: Record<string, string>; value: [number, string] };
const gpu = (index: number, text: string, metric = "DCGM_FI_DEV_GPU_UTIL", uuid = `GPU-${index}`): Series => ({
  metric: { __name__: metric, Hostname: "gpu-a07", gpu: String(index), UUID: uuid },
  value: [1794969000.123, text],
});
const answer = (result: unknown, more: object = {}, resultType = "vector"): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ status: "success", data: { resultType, result }, ...more }));
const judge = (bytes: Uint8Array, gpus: number | null = 8, now: Date | null = null) =>
  judgeReading(prometheusReading(bytes), null, null, null, { gpus, now });
const eight = (text: string, metric?: string): Series[] => Array.from({ length: 8 }, (_, index) => gpu(index, text, metric));

describe("what an answer of the metrics store shows", () => {
  test("eight healthy GPUs pass", () => expect(judge(answer(eight("0"))).judged.verdict).toBe("pass"));

  test.each(["9223372036854775794", "9.223372036854776e+18"])(
    "case 7: %s reads as 'not supported', and no number of it appears",
    (text) => {
      const bytes = answer([gpu(0, text, "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"), ...eight("4", "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL").slice(1)]);
      const { judged, checks } = judge(bytes);
      expect([judged.verdict, judged.reason]).toEqual(["unresolved", "sentinel"]);
      const reading = prometheusReading(bytes);
      expect(reading.values.find((value) => value.entity === "gpu-a07 gpu 0")).toMatchObject({ value: null, text: "not supported" });
      expect(reading.values.find((value) => value.entity === "gpu-a07 gpu 1")?.value).toBe(4);
      expect(JSON.stringify([reading, checks])).not.toMatch(/92233720|9\.22e|9\.2233/);
    },
  );

  test("case 8: 808334905 of GPU_UTIL is out of range for that GPU alone", () => {
    const { judged, checks } = judge(answer([gpu(0, "808334905"), ...eight("0").slice(1)]));
    expect(judged).toMatchObject({ verdict: "unresolved", because: expect.stringContaining("out of range 0 to 100") });
    expect(checks.filter((check) => check.verdict === "unresolved").map((check) => check.entity)).toEqual(["gpu-a07 gpu 0"]);
  });

  test("case 9: gpu 0 to 6, and eight series of which two share one UUID", () => {
    expect(judge(answer(eight("0").slice(0, 7))).judged).toMatchObject({
      verdict: "unresolved",
      because: "7 of 8 GPUs reported, missing index 7",
    });
    const twins = judge(answer([...eight("0").slice(0, 7), gpu(7, "0", undefined, "GPU-0")])).judged;
    expect(twins.verdict).toBe("unresolved");
    expect(twins.because).toContain("share UUID GPU-0");
    expect(twins.because).toContain("7 of 8 GPUs reported");
  });

  test("case 10: empty, NaN and a warned answer are unresolved, each with its own reason", () => {
    const reasons = [answer([]), answer([gpu(0, "NaN")]), answer([gpu(0, "0")], { warnings: ["missing store"] })].map(
      (bytes) => judge(bytes, null).judged,
    );
    expect(reasons.map((one) => one.verdict)).toEqual(["unresolved", "unresolved", "unresolved"]);
    expect(reasons.map((one) => one.reason)).toEqual(["no_data", "not_a_number", "warned"]);
  });

  test.each<[string, Uint8Array]>([
    ["a series that names no host", answer([{ metric: { gpu: "0" }, value: [1, "0"] }])],
    ["a matrix", answer([{ metric: {}, values: [[1, "0"]] }], {}, "matrix")],
    ["a string", answer([1, "0"], {}, "string")],
    ["a native histogram", answer([{ metric: { Hostname: "a" }, histogram: [1, {}] }])],
    ["a number where a text stands", answer([{ metric: { Hostname: "a" }, value: [1, 0] }])],
    ["another status", new TextEncoder().encode('{"status":"maybe"}')],
    [
      "an error that still holds data",
      new TextEncoder().encode('{"status":"error","errorType":"execution","error":"x","data":{"resultType":"vector","result":[]}}'),
    ],
    ["a page of HTML", new TextEncoder().encode("<html>502</html>")],
  ])("%s is unresolved", (_name, bytes) => {
    expect(judge(bytes, null).judged.verdict).toBe("unresolved");
  });

  test("an answer of ten minutes ago is stale", () => {
    expect(judge(answer(eight("0")), 8, new Date(1794969000_000 + 600_000)).judged).toMatchObject({
      verdict: "unresolved",
      reason: "stale",
    });
    expect(judge(answer(eight("0")), 8, new Date(1794969000_000 + 60_000)).judged.verdict).toBe("pass");
  });

  test("cut at every byte it never passes", () => {
    const whole = answer(eight("0"));
    for (let length = 0; length < whole.length; length++) expect(judge(whole.subarray(0, length)).judged.verdict).not.toBe("pass");
  });
});
