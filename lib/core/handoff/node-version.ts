import { foldHostlist } from "@/lib/core/kernel/hostlist";

/** component -> the newest text its host gave, with where it came from and when (ISO). */
export type Reported = Readonly<Record<string, { readonly text: string; readonly source: string; readonly at: string }>>;

type Row = {
  readonly node: string;
  readonly outcome: string;
  readonly runs: { readonly version: string | null; readonly source: string; readonly at: string | null };
};
type VersionGroup = {
  version: string | null;
  nodes: number;
  names: string;
  outcomes: { outcome: string; nodes: number; names: string }[];
  sources: string[];
  oldest: string | null;
};

/** Which nodes run which version: each node in exactly one group, the goal first, the unknown last (R8.6). */
export function versionsOf(rows: readonly Row[], goal: string): VersionGroup[] {
  const groups = groupBy(rows, ({ runs }) => runs.version);
  const rank = (version: string | null): number => (version === goal ? 0 : version === null ? 2 : 1);
  return [...groups]
    .sort(([a, x], [b, y]) => rank(a) - rank(b) || y.length - x.length)
    .map(([version, own]) => ({
      version,
      nodes: own.length,
      names: namesOf(own),
      outcomes: [...groupBy(own, ({ outcome }) => outcome)].map(([outcome, some]) => ({
        outcome,
        nodes: some.length,
        names: namesOf(some),
      })),
      sources: [...new Set(own.map(({ runs }) => runs.source).filter((source) => source !== ""))],
      oldest: own
        .map(({ runs }) => runs.at)
        .reduce<string | null>((old, at) => (at !== null && (old === null || at < old) ? at : old), null),
    }));
}

function groupBy<K>(rows: readonly Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

const namesOf = (rows: readonly Row[]): string => foldHostlist(rows.map(({ node }) => node));
