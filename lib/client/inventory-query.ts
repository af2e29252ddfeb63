import { byName } from "@/lib/core/kernel/natural-order";

import { paths } from "./paths";

export const SHOWN = ["all", "out", "change", "differs", "unread", "free"] as const;
export const SORTS = ["need", "name", "class", "leaf", "service", "change", "read"] as const;
export const PAGE_ROWS = 200;

export type InventoryQuery = {
  readonly cluster: string | null;
  readonly show: (typeof SHOWN)[number];
  /** Text that name, class, leaf, reason, change or a reported version holds. */ readonly find: string;
  readonly sort: (typeof SORTS)[number];
  readonly page: number;
};
/** One node as the table has it. */
export type InventoryRow = {
  readonly name: string;
  readonly class: string;
  readonly leaves: readonly string[] | null;
  readonly scaleSet: string | null;
  readonly service: string;
  readonly reason: string | null;
  readonly seenAt: Date | null;
  readonly reported: Readonly<Record<string, { readonly text: string; readonly source: string; readonly observedAt: Date }>>;
  readonly change: string | null;
  readonly step: string | null;
  readonly wanted: string | null;
  readonly differs: readonly { readonly component: string; readonly has: string; readonly most: string }[];
};

type Asked = Readonly<Record<string, string | string[] | undefined>>;

/** The address as a query; what is no filter of ours counts as not asked. */
export function readQuery(asked: Asked): InventoryQuery {
  const one = (name: string): string => (typeof asked[name] === "string" ? asked[name] : "");
  const page = Number(one("page"));
  return {
    cluster: one("cluster") === "" ? null : one("cluster"),
    show: SHOWN.find((known) => known === one("show")) ?? "all",
    find: one("find").trim().slice(0, 100),
    sort: SORTS.find((known) => known === one("sort")) ?? "need",
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** The same query with something else asked; another filter begins at its first page. */
export const addressOf = (query: InventoryQuery, other: Partial<InventoryQuery>): string => {
  const { cluster, show, find, sort, page } = { ...query, page: 1, ...other };
  return paths.inventory({
    ...(cluster === null ? {} : { cluster }),
    ...(show === "all" ? {} : { show }),
    ...(find === "" ? {} : { find }),
    ...(sort === "need" ? {} : { sort }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
};

export const isOf: Readonly<Record<InventoryQuery["show"], (row: InventoryRow) => boolean>> = {
  all: () => true,
  out: ({ service }) => service !== "in_service",
  change: ({ change }) => change !== null,
  free: ({ change }) => change === null,
  differs: ({ differs }) => differs.length > 0,
  unread: ({ reported }) => Object.keys(reported).length === 0,
};

/** What fits the query, in its order. */
export function pick(rows: readonly InventoryRow[], { show, find, sort }: InventoryQuery): readonly InventoryRow[] {
  const wanted = find.toLowerCase();
  const found = rows.filter((row) => isOf[show](row) && (wanted === "" || textOf(row).includes(wanted)));
  const key = KEY[sort];
  return found
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : byName(a.row.name, b.row.name)))
    .map(({ row }) => row);
}

const KEY: Readonly<Record<InventoryQuery["sort"], (row: InventoryRow) => string | number>> = {
  need: ({ service, differs, change }) => (service !== "in_service" ? 0 : differs.length > 0 ? 1 : change !== null ? 2 : 3),
  name: () => 0,
  class: (row) => row.class,
  leaf: ({ leaves }) => leaves?.[0] ?? "",
  service: ({ service }) => service,
  change: ({ change }) => change ?? "\uffff",
  read: ({ reported }) => Math.min(...Object.values(reported).map(({ observedAt }) => observedAt.getTime()), Number.MAX_SAFE_INTEGER),
};

const textOf = (row: InventoryRow): string =>
  [row.name, row.class, ...(row.leaves ?? []), row.scaleSet, row.reason, row.change, ...Object.values(row.reported).map(({ text }) => text)]
    .join(" ")
    .toLowerCase();
