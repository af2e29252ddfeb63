import { expect, test } from "vitest";

import { addressOf, pick, readQuery, type InventoryRow } from "./inventory-query";

const row = (name: string, more: Partial<InventoryRow> = {}): InventoryRow => ({
  name,
  class: "h100",
  leaves: ["leaf01"],
  scaleSet: null,
  service: "in_service",
  reason: null,
  seenAt: null,
  reported: { gpu_driver: { text: "570", source: "ssh", observedAt: new Date(1000) } },
  change: null,
  step: null,
  wanted: null,
  differs: [],
  ...more,
});
const names = (rows: readonly InventoryRow[]) => rows.map(({ name }) => name);
const ROWS = [
  row("n10"),
  row("n9", { change: "CH-1", reported: {} }),
  row("n2", { service: "drained", reason: "DIMM swap" }),
  row("n1", { differs: [{ component: "gpu_driver", has: "1", most: "2" }], leaves: null }),
];

test("what needs reading stands first, and names sort as people count", () => {
  expect(names(pick(ROWS, readQuery({})))).toEqual(["n2", "n1", "n9", "n10"]);
  expect(names(pick(ROWS, readQuery({ sort: "name" })))).toEqual(["n1", "n2", "n9", "n10"]);
});

test.each([
  [{ show: "out" }, ["n2"]],
  [{ show: "change" }, ["n9"]],
  [{ show: "free" }, ["n2", "n1", "n10"]],
  [{ show: "differs" }, ["n1"]],
  [{ show: "unread" }, ["n9"]],
  [{ find: "dimm" }, ["n2"]],
  [{ find: "CH-1" }, ["n9"]],
  [{ find: "570", show: "out" }, ["n2"]],
])("%j shows %j", (asked, shown) => expect(names(pick(ROWS, readQuery(asked)))).toEqual(shown));

test("hostile addresses ask for nothing, and an address comes back as it went", () => {
  expect(readQuery({ show: "__proto__", sort: ["a", "b"], page: "-1", find: "x".repeat(500) })).toMatchObject({
    show: "all",
    sort: "need",
    page: 1,
  });
  expect(readQuery({ find: "x".repeat(500) }).find).toHaveLength(100);
  const query = readQuery({ cluster: "sim", show: "out", find: "a b", sort: "leaf", page: "3" });
  const address = new URL(addressOf(query, { page: 3 }), "http://x");
  expect(readQuery(Object.fromEntries(address.searchParams))).toEqual(query);
  expect(readQuery(Object.fromEntries(new URL(addressOf(query, { show: "all" }), "http://x").searchParams)).page).toBe(1);
});
