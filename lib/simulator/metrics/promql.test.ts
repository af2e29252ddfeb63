import { expect, it } from "vitest";

import { parseQuery, selects } from "./promql";

const labels = { __name__: "m", Hostname: "gpu001", gpu: "3" };
const matches = (text: string): boolean | string => {
  const query = parseQuery(text);
  return typeof query === "string" ? query : selects(query, labels);
};

it.each([
  ["m", true],
  ["other", false],
  ['m{Hostname="gpu001"}', true],
  ['m{Hostname=~"gpu00[12]|x", gpu!="4",}', true],
  ['m{Hostname=~"gpu00"}', false],
  ['m{Hostname!~"gpu.*"}', false],
  ['{__name__="m",gpu="3"}', true],
  ["m{absent=''}", true],
  ['m{gpu="\\""}', false],
  ['timestamp(m{gpu="3"})', true],
])("%s", (text, expected) => expect(matches(text)).toBe(expected));

it.each(["", "m{", "m{a=}", "sum(m)", "m[5m]", "m + 1", '{gpu=""}', "{}", 'm{a="x" b="y"}', 'm{a=~"["}', "timestamp(m", 'm{a="x"} or n'])(
  "%j is refused with a place",
  (text) => expect(matches(text)).toMatch(/parse error/),
);
