import { describe, expect, it } from "vitest";
import { readPlan } from "./read-plan";
import { aSmallPlan } from "./samples/a-small-plan";

const windowOf = (start: string, end: string, timezone = "Europe/Berlin"): unknown => {
  const plan = readPlan(aSmallPlan({ windows: `[{start: ${start}, end: ${end}, timezone: ${timezone}}]` }));
  return plan.ok ? plan.value.windows.map((w) => `${w.startsAt} ${w.endsAt}`) : plan.error.map((p) => p.text).join(" ");
};

describe("windows", () => {
  it.each([
    ["in winter", "2026-12-08T22:00", "2026-12-09T06:00", "Europe/Berlin", "2026-12-08T21:00:00.000Z 2026-12-09T05:00:00.000Z"],
    ["in summer", "2026-07-08T22:00", "2026-07-09T06:00", "Europe/Berlin", "2026-07-08T20:00:00.000Z 2026-07-09T04:00:00.000Z"],
    [
      "over the change of clocks",
      "2026-03-28T22:00",
      "2026-03-29T06:00",
      "Europe/Berlin",
      "2026-03-28T21:00:00.000Z 2026-03-29T04:00:00.000Z",
    ],
    [
      "far from Greenwich",
      "2026-12-08T22:00",
      "2026-12-09T06:00",
      "Pacific/Kiritimati",
      "2026-12-08T08:00:00.000Z 2026-12-08T16:00:00.000Z",
    ],
    [
      "with a written offset",
      "2026-10-25T02:30+01:00",
      "2026-10-25T06:00",
      "Europe/Berlin",
      "2026-10-25T01:30:00.000Z 2026-10-25T05:00:00.000Z",
    ],
    ["in UTC", "2026-12-08T22:00Z", "2026-12-09T06:00", "UTC", "2026-12-08T22:00:00.000Z 2026-12-09T06:00:00.000Z"],
  ])("are read %s", (_, start, end, timezone, instants) => expect(windowOf(start, end, timezone)).toEqual([instants]));

  it.each([
    ["a time the clock skips", "2026-03-29T02:30", "2026-03-29T06:00", "Europe/Berlin", /does not exist in Europe\/Berlin/],
    [
      "a time that happens twice, naming both",
      "2026-10-25T02:30",
      "2026-10-25T06:00",
      "Europe/Berlin",
      /2026-10-25T00:30:00\.000Z or 2026-10-25T01:30:00\.000Z/,
    ],
    ["an offset the zone does not have", "2026-12-08T22:00+02:00", "2026-12-09T06:00", "Europe/Berlin", /does not have the offset/],
    ["a zone that nobody knows", "2026-12-08T22:00", "2026-12-09T06:00", "Europe/Berlln", /must be a time zone/],
    ["a date that does not exist", "2026-02-30T22:00", "2026-12-09T06:00", "UTC", /date and time/],
    ["an end before the start", "2026-12-09T06:00", "2026-12-08T22:00", "UTC", /not after the start/],
  ])("refuse %s", (_, start, end, timezone, because) => expect(windowOf(start, end, timezone)).toMatch(because));

  it("refuse to overlap", () => {
    const both =
      "[{start: 2026-12-08T22:00, end: 2026-12-09T06:00, timezone: UTC}, {start: 2026-12-09T05:00, end: 2026-12-09T08:00, timezone: UTC}]";
    expect(readPlan(aSmallPlan({ windows: both }))).toMatchObject({
      ok: false,
      error: [{ path: "windows[1]", text: expect.stringContaining("overlaps") as string }],
    });
  });

  it("ask for an offset of mixedUntil where no window names a zone", () => {
    expect(readPlan(aSmallPlan({ mixedUntil: "2026-12-16T06:00" }))).toMatchObject({ ok: false, error: [{ path: "mixedUntil" }] });
    expect(readPlan(aSmallPlan({ mixedUntil: "2026-12-16T06:00Z" }))).toMatchObject({
      ok: true,
      value: { mixedUntil: "2026-12-16T06:00:00.000Z" },
    });
  });
});
