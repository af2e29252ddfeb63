type Seen = {
  readonly name: string;
  readonly classLabel: string;
  readonly reported: Readonly<Record<string, { readonly text: string }>>;
  /** The version that an open change brings to it: to have that is no drift. */ readonly wanted: string | null;
};
type Difference = { readonly component: string; readonly has: string; readonly most: string };

/**
 * Nodes whose host reports another version than more than half of the nodes of their class that report that component. Without such a majority nobody
 * drifts, a version that a change brings is no drift, and what was never reported differs from nothing: it is not known.
 */
export function driftOf(nodes: readonly Seen[]): ReadonlyMap<string, readonly Difference[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const node of nodes)
    for (const [component, { text }] of Object.entries(node.reported)) {
      const key = keyOf(node, component);
      const texts = counts.get(key) ?? new Map<string, number>();
      counts.set(key, texts.set(text, (texts.get(text) ?? 0) + 1));
    }
  const most = new Map([...counts].map(([key, texts]) => [key, majority(texts)]));
  return new Map(
    nodes.flatMap((node): [string, readonly Difference[]][] => {
      const differs = Object.entries(node.reported).flatMap(([component, { text }]) => {
        const usual = most.get(keyOf(node, component)) ?? null;
        return usual === null || usual === text || text === node.wanted ? [] : [{ component, has: text, most: usual }];
      });
      return differs.length === 0 ? [] : [[node.name, differs]];
    }),
  );
}

const keyOf = ({ classLabel }: Seen, component: string): string => `${classLabel}\n${component}`;

function majority(texts: ReadonlyMap<string, number>): string | null {
  const all = [...texts.values()].reduce((a, b) => a + b, 0);
  return [...texts].find(([, count]) => count * 2 > all)?.[0] ?? null;
}
