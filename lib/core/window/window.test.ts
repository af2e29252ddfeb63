import { describe, expect, it } from "vitest";
import { occurrences } from "./freeze";
import { spacing } from "./spacing";
import { windowFits } from "./window";

const at = (text: string): Date => new Date(`2026-03-${text}:00.000Z`);
const span = (start: string, end: string): { startsAt: Date; endsAt: Date } => ({ startsAt: at(start), endsAt: at(end) });
const MINUTE = 60_000;
const NIGHT = [span("10T22:00", "11T06:00"), span("12T22:00", "13T06:00")];

describe("windowFits (R11.2)", () => {
  it.each([
    ["before the first", "10T21:59", 15, { is: "closed", opensAt: at("10T22:00") }],
    ["at its start", "10T22:00", 15, { is: "open", leftMs: 480 * MINUTE }],
    ["when it ends before the window does", "11T05:44", 15, { is: "open", leftMs: 16 * MINUTE }],
    ["when it ends with the window", "11T05:45", 15, { is: "too_short", needMs: 15 * MINUTE, leftMs: 15 * MINUTE }],
    ["at the window's end", "11T06:00", 15, { is: "closed", opensAt: at("12T22:00") }],
    ["after the last", "13T06:00", 15, { is: "closed", opensAt: null }],
  ])("%s", (_, now, minutes, answer) => expect(windowFits(NIGHT, minutes * MINUTE, at(now))).toEqual(answer));
});

describe("spacing (S8)", () => {
  const DAYS_14 = 14 * 24 * 60 * MINUTE;
  it("after an end on 3 March 18:00 refuses 17 March 17:59 and allows 18:00", () => {
    expect(spacing(at("03T18:00"), at("17T17:59"), DAYS_14)).toEqual({ until: at("17T18:00") });
    expect(spacing(at("03T18:00"), at("17T18:00"), DAYS_14)).toBeNull();
    expect(spacing(null, at("01T00:00"), DAYS_14)).toBeNull();
  });
});

describe("freezes", () => {
  const freeze = span("10T16:00", "11T06:00");
  it.each([
    ["inside", "10T18:00", undefined, 1],
    ["that begins at its end", "11T06:00", "11T08:00", 0],
    ["that ends before it", "10T10:00", "10T15:59", 0],
    ["that runs into it", "10T10:00", "10T16:00", 1],
    ["around it", "10T00:00", "12T00:00", 1],
  ])("hold for a time %s", (_, from, to, count) => {
    expect(occurrences([freeze], at(from), to === undefined ? undefined : at(to))).toHaveLength(count);
  });
});
