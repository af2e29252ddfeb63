import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json";

describe("canonicalJson", () => {
  it.each<[string, unknown, string]>([
    ["sorts members", { b: 1, a: { d: [true, null], c: "x" } }, '{"a":{"c":"x","d":[true,null]},"b":1}'],
    ["writes dates as ISO texts", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["leaves undefined members out", { a: undefined, b: 2 }, '{"b":2}'],
    ["has one zero", [0, -0, 1e21, 0.1], "[0,0,1e+21,0.1]"],
    ["sorts by UTF-16 units", { "\u20ac": 1, "\r": 2, "1": 3 }, '{"\\r":2,"1":3,"\u20ac":1}'],
  ])("%s", (_, value, text) => expect(canonicalJson(value)).toBe(text));

  it.each<[string, unknown]>([
    ["NaN", { a: Number.NaN }],
    ["Infinity", [Number.POSITIVE_INFINITY]],
    ["bigint", { a: 1n }],
    ["undefined in a list", [undefined]],
    ["undefined itself", undefined],
    ["a function", { f: () => 1 }],
    ["a map", new Map()],
    ["an invalid date", new Date(Number.NaN)],
  ])("refuses %s", (_, value) => expect(() => canonicalJson(value)).toThrow());

  it("refuses circles", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(() => canonicalJson(circle)).toThrow(/nested deeper/);
  });
});
