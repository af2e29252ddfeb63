import { expect, test } from "vitest";

import { paths, safeReturn } from "./paths";

test("names in addresses are quoted", () => {
  expect(paths.change("CH/1?x")).toBe("/changes/CH%2F1%3Fx");
  expect(paths.signIn("/changes?a=b")).toBe("/sign-in?to=%2Fchanges%3Fa%3Db");
});

test.each([
  ["/changes/CH-1?tab=audit", "/changes/CH-1?tab=audit"],
  ["https://evil.example", "/changes"],
  ["//evil.example", "/changes"],
  ["/\\evil.example", "/changes"],
  ["/sign-in", "/changes"],
  ["/a\nb", "/changes"],
  [undefined, "/changes"],
])("after signing in, %s leads to %s", (to, path) => {
  expect(safeReturn(to)).toBe(path);
});
