import { expect, test } from "vitest";
import { outputCorrectness } from "./output-correctness";

const output = (text: string, sha256 = "a".repeat(64)) => ({ reading: null, text, sha256 });

test.each<[string, Parameters<typeof outputCorrectness>[0], ReturnType<typeof output>, string]>([
  ["the expected hash", { kind: "sha256", sha256: "A".repeat(64) }, output("x"), "correct"],
  ["another hash", { kind: "sha256", sha256: "b".repeat(64) }, output("x"), "wrong"],
  ["a hash of nothing", { kind: "sha256", sha256: "a".repeat(64) }, output(""), "unknown"],
  ["the expected text", { kind: "exact", text: "done" }, output("done\n"), "correct"],
  ["another text", { kind: "exact", text: "done" }, output("dome"), "wrong"],
  ["a number within tolerance", { kind: "number", value: 1.5, tolerance: 0.1 }, output(" 1.55\n"), "correct"],
  ["a number outside it", { kind: "number", value: 1.5, tolerance: 0.1 }, output("1.7"), "wrong"],
  ["no number", { kind: "number", value: 1.5, tolerance: 0.1 }, output("NaN"), "unknown"],
  ["no parser's reading", { kind: "parser", parser: "nccl-tests", values: {} }, output("x"), "unknown"],
])("R3.2: %s", (_name, expected, out, correct) => {
  expect(outputCorrectness(expected, out).correct).toBe(correct);
});
