import { expect, test } from "vitest";

import { figureText, sizeText } from "./figure-text";

test("a figure has the digits of its tool and a size its unit", () => {
  expect(figureText(228.07999999999998)).toBe("228.08");
  expect(figureText(70)).toBe("70");
  expect([0, 8, 536_870_912, 8_589_934_592].map(sizeText)).toEqual(["", "8 B", "512 MiB", "8 GiB"]);
});
