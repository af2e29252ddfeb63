import { expect, it } from "vitest";

import { expandHosts, foldHosts } from "./hostlist";

it.each([
  ["gpu[001-003]", ["gpu001", "gpu002", "gpu003"]],
  ["rack[1-2]n[01-02,15]", ["rack1n01", "rack1n02", "rack1n15", "rack2n01", "rack2n02", "rack2n15"]],
  ["a,b[1,3]", ["a", "b1", "b3"]],
])("%s expands", (text, names) => expect(expandHosts(text)).toEqual(names));

it.each(["", "gpu[", "gpu[1-", "gpu[3-1]", "gpu[[1]]", "a b", "gpu[1-99999999]", "a;b", "gpu]1["])("%j is no host list", (text) =>
  expect(expandHosts(text)).toBeNull(),
);

it.each([
  [["gpu002", "gpu001", "gpu004"], "gpu[001-002,004]"],
  [["gpu9", "gpu10"], "gpu10,gpu9"],
  [["head"], "head"],
  [[], ""],
])("%j folds", (names, text) => expect(foldHosts(names)).toBe(text));
