import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationText, minutesText, parseDuration } from "./duration-text";

describe("parseDuration", () => {
  it.each([
    ["5m", 300_000],
    ["2h30m", 9_000_000],
    ["120s", 120_000],
    ["500ms", 500],
    ["14d", 1_209_600_000],
    ["0s", 0],
  ])("reads %s", (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(["", "5", "m", "5 m", "-5m", "1.5h", "30m2h", "5m5m", "367d", "5M", "1e3s"])("refuses %j", (text) =>
    expect(parseDuration(text)).toBeNull(),
  );

  it("reads back what durationText writes", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 366 * 86_400_000 }), (ms) => parseDuration(durationText(ms)) === ms));
  });

  it("says minutes as people do", () => expect([315, 20, 240].map(minutesText)).toEqual(["5h15", "20 min", "4h00"]));
});
