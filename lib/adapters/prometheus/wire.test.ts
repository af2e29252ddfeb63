import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readInstant } from "./wire";

const sample = (name: string): Uint8Array => new Uint8Array(readFileSync(`lib/parsers/samples/${name}`));
const body = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

test("a vector keeps NaN and sentinels as texts", () => {
  const read = readInstant(sample("prom_vector_with_nan.json"));
  expect(read.ok && read.value.samples.map((one) => one.text)).toEqual(["38", "NaN", "9223372036854775794"]);
  expect(read.ok && read.value.evaluatedAt).toEqual(new Date(1794969000_123));
});

test("an empty vector is an answer without samples, a scalar one sample without labels", () => {
  expect(readInstant(sample("prom_empty_vector.json"))).toMatchObject({ ok: true, value: { samples: [], warnings: [] } });
  expect(readInstant(sample("prom_scalar.json"))).toMatchObject({ ok: true, value: { samples: [{ labels: {}, text: "0" }] } });
});

test("warnings are handed on", () => {
  const read = readInstant(body({ status: "success", data: { resultType: "vector", result: [] }, warnings: ["partial"] }));
  expect(read).toMatchObject({ ok: true, value: { warnings: ["partial"] } });
});

test.each([
  ["timeout", "timed_out"],
  ["bad_data", "refused"],
  ["unavailable", "unreachable"],
  ["something_new", "unreadable"],
])("an error body of type %s is %s, whatever data it holds", (errorType, code) => {
  expect(readInstant(body({ status: "error", errorType, error: "x", data: { resultType: "vector", result: [] } }))).toMatchObject({
    ok: false,
    error: { code },
  });
});

test.each<[string, unknown]>([
  ["a matrix", { status: "success", data: { resultType: "matrix", result: [] } }],
  ["a histogram", { status: "success", data: { resultType: "vector", result: [{ metric: {}, histogram: [1, {}] }] } }],
  ["a number as value", { status: "success", data: { resultType: "vector", result: [{ metric: {}, value: [1, 2] }] } }],
  ["no data", { status: "success" }],
  ["nothing", null],
])("%s is unreadable", (_name, value) => {
  expect(readInstant(body(value))).toMatchObject({ ok: false, error: { code: "unreadable" } });
});
