/** A node and the leaves that count for it, by name. */
type Seated<L> = { readonly name: string; readonly leaves: readonly L[] };
/** Nodes that hang on exactly the same leaves: one leaf, or all eight of a rail-optimised rack. */
type LeafGroup<N, L> = { readonly leaves: readonly L[]; readonly nodes: readonly N[] };

/**
 * Groups of nodes with the same set of leaves. `disjoint`: no leaf is in two groups, so a batch may treat each group as one leaf (R5.3).
 * Nodes keep their order; the groups are in the order of their first node.
 */
export function leafGroups<L extends string | number, N extends Seated<L>>(
  nodes: readonly N[],
): { readonly groups: readonly LeafGroup<N, L>[]; readonly disjoint: boolean } {
  const groups = new Map<string, { leaves: readonly L[]; nodes: N[] }>();
  for (const node of nodes) {
    const leaves = [...new Set(node.leaves)].sort();
    const key = JSON.stringify(leaves);
    const group = groups.get(key) ?? { leaves, nodes: [] };
    group.nodes.push(node);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  const seen = all.flatMap((group) => group.leaves);
  return { groups: all, disjoint: new Set(seen).size === seen.length };
}

/** The most nodes that any one leaf carries; 0 without leaves. */
export function fullestLeaf<L extends string | number>(nodes: readonly Seated<L>[]): number {
  const counts = new Map<L, number>();
  for (const node of nodes) for (const leaf of new Set(node.leaves)) counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
  return [...counts.values()].reduce((most, n) => Math.max(most, n), 0);
}
