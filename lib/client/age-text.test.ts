import { expect, test } from "vitest";

import { ageText, spanText, utcText } from "./age-text";

const now = new Date("2026-12-08T22:00:00Z");

test.each([
  [40, "40 s ago"],
  [-1, "1 s ago"],
  [119, "119 s ago"],
  [12 * 60, "12 min ago"],
  [3 * 3600 + 300, "3 h 05 min ago"],
  [5 * 86_400 + 7200, "5 d ago"],
  [-90, "in 90 s"],
])("a fact of %s seconds before now is %s", (seconds, text) => {
  expect(ageText(new Date(now.getTime() - seconds * 1_000), now)).toBe(text);
});

test("the exact instant is in UTC", () => {
  expect(utcText(now)).toBe("2026-12-08 22:00:00 UTC");
  expect(spanText(0)).toBe("0 s");
});
