import { describe, expect, test } from "vitest";
import type { Expectation } from "./expectation";
import { parseExpectation } from "./expect";
import { judgeReading, type ReadingContext } from "./judge-reading";
import { isBeyond, parseLimit } from "./limit";
import type { Reading } from "./reading";

const reading = (changes: Partial<Reading> = {}): Reading => ({
  parser: "text",
  versions: {},
  understood: "complete",
  problems: [],
  statements: [],
  values: [{ name: "line", entity: "line 1", value: null, text: "570.172.08", unit: "text" }],
  measurements: [],
  conditions: {},
  wrongValues: null,
  noise: { count: 0, lines: [] },
  notes: [],
  ...changes,
});
const judge = (expected: Expectation | null, context: Partial<ReadingContext> = {}, changes: Partial<Reading> = {}) =>
  judgeReading(reading(changes), expected, null, null, { gpus: null, ...context }).judged;

describe("R2.4: how the command ended", () => {
  test.each<[string, Partial<ReadingContext>, Partial<Reading>, string]>([
    ["0 and nothing expected", { exitCode: 0 }, {}, "pass"],
    ["non-zero is a failure", { exitCode: 1 }, {}, "fail"],
    ["non-zero of a tool that did not run is not", { exitCode: 1 }, { understood: "did_not_run" }, "unresolved"],
    ["the shell could not start it", { exitCode: 127 }, {}, "unresolved"],
    ["nobody knows", { exitCode: null }, {}, "unresolved"],
    ["a text without an expectation and without an end", {}, {}, "unresolved"],
    ["cut by our own limit", { exitCode: 0, truncated: true }, {}, "unresolved"],
  ])("%s", (_name, context, changes, verdict) => expect(judge(null, context, changes).verdict).toBe(verdict));

  test("an exit code of 0 does not make up for an expectation that is not met", () => {
    expect(judge({ equals: "570.172.08" }, { exitCode: 0 }).verdict).toBe("pass");
    expect(judge({ equals: "570.133.20" }, { exitCode: 0 }).verdict).toBe("fail");
    expect(judge({ equals: "570.172.08" }, { exitCode: 3 }).verdict).toBe("fail");
    expect(judge({ every: "x" }, { exitCode: 0 }, { values: [] }).verdict).toBe("unresolved");
    expect(judge({ absent: true }, { exitCode: 0 }, { values: [] }).verdict).toBe("pass");
    expect(judge({ absent: true }, {}, { values: [] }).verdict).toBe("unresolved");
  });

  test("what the verdict rests on is handed through", () => {
    const rests = { observations: [] };
    expect(judgeReading(reading(), null, null, null, { gpus: null, exitCode: 0, rests }).judged.rests).toBe(rests);
  });
});

describe("R2.5: limits", () => {
  test.each([
    [414, 460, 90],
    [437, 460, 95],
    [352.45, 371, 95],
    [0.3, 0.1, 300],
    [331.2, 368, 90],
  ])("%d of %d at %d %% is exactly on the limit and fails", (value, baseline, percent) => {
    expect(isBeyond(value, { word: "above", bound: { percentOfBaseline: percent } }, baseline)).toMatchObject({
      holds: false,
      onLimit: true,
    });
    expect(isBeyond(value, { word: "below", bound: { percentOfBaseline: percent } }, baseline)?.holds).toBe(false);
    expect(isBeyond(value, { word: "atLeast", bound: { percentOfBaseline: percent } }, baseline)?.holds).toBe(true);
    expect(isBeyond(value, { word: "atMost", bound: { percentOfBaseline: percent } }, baseline)?.holds).toBe(true);
  });

  test("NaN, no baseline and a baseline of 0 give no answer, not a pass", () => {
    const limit = { word: "above", bound: { percentOfBaseline: 90 } } as const;
    expect([isBeyond(1, limit, null), isBeyond(1, limit, 0), isBeyond(NaN, limit, 1), isBeyond(1, limit, NaN)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test.each<[string, string, Expectation]>([
    ["busbw > 95%", "busbw", { above: { percentOfBaseline: 95 } }],
    ["> 90 %", "", { above: { percentOfBaseline: 90 } }],
    ["above: 95%", "", { above: { percentOfBaseline: 95 } }],
    ["temperature.gpu <= 80", "temperature.gpu", { atMost: { value: 80 } }],
    ["x atLeast 0.5", "x", { atLeast: { value: 0.5 } }],
  ])("%s", (text, name, expectation) => expect(parseLimit(text)).toEqual({ ok: true, value: { name, expectation } }));

  test.each(["", "busbw", "busbw > fast", "busbw ~ 95%", "> 1e999", "95%", "a b > 5"])("%j is no limit", (text) => {
    expect(parseLimit(text).ok).toBe(false);
  });

  test.each<[string, Expectation]>([
    ["idle", { equals: "idle" }],
    ["570.10", { equals: "570.10" }],
    ["> 90%", { above: { percentOfBaseline: 90 } }],
    ["a|b", { oneOf: ["a", "b"] }],
    ["every 570.172.08", { every: "570.172.08" }],
    ["absent", { absent: true }],
    ["notAbove: before", { notAbove: "before" }],
  ])("expectation %s", (text, expectation) => expect(parseExpectation(text)).toEqual({ ok: true, value: expectation }));

  test.each(["", " ", "> x", "a||b"])("%j is no expectation", (text) => expect(parseExpectation(text).ok).toBe(false));
});
