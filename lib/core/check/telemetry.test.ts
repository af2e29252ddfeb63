import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expectation } from "./expectation";
import { queryFor, seriesOf } from "./node-series";
import type { SeriesSeen } from "./series";
import { judgeSeries } from "./telemetry";

const NOW = new Date("2026-11-18T03:00:00Z");
const READ = "2026-11-18T02:59:55Z";
const SAMPLED = "2026-11-18T02:59:50Z";
const CONTEXT = { now: NOW, bootedAt: new Date("2026-11-18T02:00:00Z"), stepEndedAt: new Date("2026-11-18T02:50:00Z") };

const spec = (expect: Expectation, seriesPerNode = 8, query = 'DCGM_FI_DEV_GPU_UTIL{Hostname="{node}"}') =>
  ({ kind: "telemetry", query, expect, seriesPerNode, freshnessMs: 60_000, settleMs: 300_000 }) as const;
const BELOW: Expectation = { atMost: { value: 100 } };
const series = (texts: readonly string[], extra: Partial<SeriesSeen> = {}, metric = "DCGM_FI_DEV_GPU_UTIL"): SeriesSeen => ({
  observationId: 7,
  query: metric,
  readAt: READ,
  up: 1,
  warnings: [],
  error: null,
  samples: texts.map((text, index) => ({
    entity: String(index),
    labels: { __name__: metric, gpu: String(index), UUID: `GPU-${index}`, Hostname: "gpu-a07" },
    text,
    sampledAt: SAMPLED,
  })),
  ...extra,
});
const eight = (text: string): string[] => Array.from({ length: 8 }, () => text);
const verdict = (...args: Parameters<typeof judgeSeries>) => {
  const judged = judgeSeries(...args);
  return judged === "waiting" ? { verdict: "waiting", reason: "", because: "", rests: { observations: [] as readonly number[] } } : judged;
};
const at = (sampledAt: string | null, texts = eight("0")): SeriesSeen => {
  const seen = series(texts);
  return { ...seen, samples: seen.samples.map((sample) => ({ ...sample, sampledAt })) };
};

describe("R2.3: what one read of a series says", () => {
  test.each<[string, SeriesSeen | null, string, string, string]>([
    ["eight healthy series pass", series(eight("0")), "pass", "as_expected", "all 8 series"],
    ["a read that never happened", null, "unresolved", "no_data", "never read"],
    ["a source that did not answer", series([], { error: "connection refused" }), "unresolved", "tool_error", "connection refused"],
    ["case 10: an empty answer", series([]), "unresolved", "no_data", "the answer is empty"],
    ["case 10: NaN", series([...eight("0").slice(1), "NaN"]), "unresolved", "not_a_number", '"NaN" is not a number'],
    ["infinity", series([...eight("0").slice(1), "+Inf"]), "unresolved", "not_a_number", "+Inf"],
    [
      "case 10: a warning beside a good value",
      series(eight("0"), { warnings: ["missing store"] }),
      "unresolved",
      "warned",
      "missing store",
    ],
    ["a target that is down", series(eight("0"), { up: 0 }), "unresolved", "no_data", "up is 0"],
    [
      "case 8: 808334905 for one GPU",
      series(["808334905", ...eight("0").slice(1)]),
      "unresolved",
      "out_of_range",
      "gpu 0: 808334905 is out of range 0 to 100",
    ],
    ["case 9: series for gpu 0 to 6", series(eight("0").slice(1)), "unresolved", "too_few", "7 of 8 GPUs reported, missing index 7"],
    ["nine series", series([...eight("0"), "0"]), "unresolved", "sources_disagree", "9 series where 8"],
    ["a sample without a time", at(null), "unresolved", "stale", "no time"],
    ["a sample from before the boot", at("2026-11-18T01:59:00Z"), "unresolved", "before_reboot", "before the last boot"],
    ["a sample from before the step ended", at("2026-11-18T02:40:00Z"), "unresolved", "stale", "before the step ended"],
    ["an old value repeated for a minute", at("2026-11-18T02:58:30Z"), "unresolved", "stale", "85 s old"],
    ["a sample from the future", at("2026-11-18T03:05:00Z"), "unresolved", "sources_disagree", "clocks differ"],
    ["a read that is long ago", series(eight("0"), { readAt: "2026-11-18T02:51:00Z" }), "unresolved", "stale", "last read"],
  ])("%s", (_name, seen, wanted, reason, because) => {
    const judged = verdict(seen, null, spec(BELOW), CONTEXT);
    expect([judged.verdict, judged.reason, judged.because]).toEqual([wanted, reason, expect.stringContaining(because)]);
  });

  test("R2.1: before the settle time has passed it is waiting, which is no verdict", () => {
    expect(judgeSeries(series([]), null, spec(BELOW), { ...CONTEXT, stepEndedAt: new Date("2026-11-18T02:58:00Z") })).toBe("waiting");
  });

  test("case 9: eight series of which two share one UUID are seven GPUs", () => {
    const seen = series(eight("0"));
    const twins = {
      ...seen,
      samples: seen.samples.map((sample, index) => (index === 7 ? { ...sample, labels: { ...sample.labels, UUID: "GPU-0" } } : sample)),
    };
    const judged = verdict(twins, null, spec(BELOW), CONTEXT);
    expect([judged.verdict, judged.reason]).toEqual(["unresolved", "too_few"]);
    expect(judged.because).toContain("7 of 8 GPUs reported, two series share UUID GPU-0");
  });

  test.each([
    "9223372036854775794",
    "9.223372036854776e+18",
    "9223372036854776000",
    "2147483634",
    "140737488355330",
    "<<<NOT_SUPPORTED>>>",
  ])("case 7: %s reads as not supported and no digit of it is said", (text) => {
    const judged = verdict(series([text, ...eight("4").slice(1)], {}, "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"), null, spec(BELOW), CONTEXT);
    expect([judged.verdict, judged.reason]).toEqual(["unresolved", "sentinel"]);
    expect(judged.because.toLowerCase().replace("_", " ")).toContain("not supported");
    expect(judged.because).not.toMatch(/\d{7}/);
  });

  test("case 7: 4 is read as 4", () => {
    const judged = verdict(series(eight("4"), {}, "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"), null, spec({ equals: "4" }), CONTEXT);
    expect(judged.verdict).toBe("pass");
  });

  test("a failing value fails although another one is unresolved", () => {
    expect(verdict(series(["NaN", "90", ...eight("0").slice(2)]), null, spec({ below: { value: 50 } }), CONTEXT).verdict).toBe("fail");
  });

  test("notAbove before: equal passes, more fails, no value from before is unresolved, a vanished series is unresolved", () => {
    const rows = "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS";
    const check = spec({ notAbove: "before" }, 8, rows);
    const before = series(eight("2"), { observationId: 3 }, rows);
    const same = verdict(series(eight("2"), {}, rows), before, check, CONTEXT);
    expect([same.verdict, same.rests.observations]).toEqual(["pass", [7, 3]]);
    expect(verdict(series([...eight("2").slice(1), "3"], {}, rows), before, check, CONTEXT).because).toContain("is 3, above 2 from before");
    expect(verdict(series(eight("2"), {}, rows), null, check, CONTEXT).reason).toBe("no_baseline");
    expect(verdict(series([], {}, rows), before, check, CONTEXT).reason).toBe("vanished");
    expect(verdict(series(eight("2").slice(1), {}, rows), before, check, CONTEXT).reason).toBe("vanished");
  });

  test("absent passes only while the scrape target is known to be up", () => {
    expect(verdict(series([]), null, spec({ absent: true }), CONTEXT).verdict).toBe("pass");
    expect(verdict(series([], { up: null }), null, spec({ absent: true }), CONTEXT).verdict).toBe("unresolved");
    expect(verdict(series([], { up: 0 }), null, spec({ absent: true }), CONTEXT).verdict).toBe("unresolved");
    expect(verdict(series(["1"]), null, spec({ absent: true }, 1), CONTEXT).verdict).toBe("fail");
  });

  test("property: a read with anything missing, impossible or dated wrongly is never a pass", () => {
    const good = series(eight("1"));
    const bad = fc.constantFrom("NaN", "", "+Inf", "-Inf", "9223372036854775792", "2147483632", "1e400", "abc", "101", "-1");
    const spoil = fc.oneof(
      fc
        .record({ index: fc.nat(7), text: bad })
        .map(({ index, text }) => ({ ...good, samples: good.samples.map((one, i) => (i === index ? { ...one, text } : one)) })),
      fc.nat(7).map((index) => ({ ...good, samples: good.samples.filter((_, i) => i !== index) })),
      fc
        .record({ index: fc.nat(7), time: fc.constantFrom(null, "nonsense", "2026-11-18T01:00:00Z", "2026-11-18T02:30:00Z") })
        .map(({ index, time }) => ({
          ...good,
          samples: good.samples.map((one, i) => (i === index ? { ...one, sampledAt: time } : one)),
        })),
      fc
        .constantFrom<Partial<SeriesSeen>>({ error: "x" }, { warnings: ["x"] }, { up: 0 }, { readAt: "nonsense" })
        .map((change) => ({ ...good, ...change })),
      fc.record({ index: fc.nat(6) }).map(({ index }) => ({
        ...good,
        samples: good.samples.map((one, i) => (i === 7 ? { ...one, labels: good.samples[index]?.labels ?? {} } : one)),
      })),
    );
    expect(verdict(good, null, spec({ atMost: { value: 100 } }), CONTEXT).verdict).toBe("pass");
    fc.assert(
      fc.property(spoil, (seen) => verdict(seen, null, spec({ atMost: { value: 100 } }), CONTEXT).verdict !== "pass"),
      { numRuns: 300 },
    );
  });
});

describe("one query serves many nodes", () => {
  test("{node} becomes a matcher over escaped names, at most 200 of them", () => {
    const [one] = queryFor('up{Hostname="{node}"}', ["gpu-1.a", "gpu+2"]);
    expect(one?.query).toBe('up{Hostname=~"gpu-1\\\\.a|gpu\\\\+2"}');
    expect(queryFor('up{instance="{node}:9400"}', ["a", "b"])[0]?.query).toBe('up{instance=~"(?:a|b):9400"}');
    expect(queryFor('up{instance=~"{node}:.*"}', ["a", "b"])[0]?.query).toBe('up{instance=~"(?:a|b):.*"}');
    const many = Array.from({ length: 450 }, (_, index) => `n${index}`);
    expect(queryFor("up", many).map((part) => part.nodes.length)).toEqual([200, 200, 50]);
    expect(queryFor('up{Hostname="{node}"}', ['x"} or vector(1) #'])[0]?.query).toBe('up{Hostname=~"x\\"\\\\} or vector\\\\(1\\\\) #"}');
  });

  test("a sample belongs to the node that its label names, in any letter case, and to nobody without one", () => {
    const sample = (labels: Record<string, string>) => ({ labels });
    const samples = [
      sample({ Hostname: "gpu-a07" }),
      sample({ hostname: "GPU-A07.cluster.local" }),
      sample({ instance: "gpu-a07:9400" }),
      sample({ Hostname: "gpu-a070" }),
      sample({ gpu: "0" }),
    ];
    expect(seriesOf("gpu-a07", samples)).toEqual(samples.slice(0, 3));
    expect(seriesOf("gpu-a07", [sample({ rack_host: "gpu-a07", instance: "exporter:9400" })], "rack_host")).toHaveLength(1);
  });
});
