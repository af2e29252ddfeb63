import { leafGroups } from "@/lib/core/topology/leaf-groups";
import type { LeafRule } from "./planned";
import type { Seat } from "./seat";

/** The largest batch that the leaves allow at all, if that is smaller than what was asked, with the reason in a few words ("8 leaves"). */
export function reachableSize(
  seats: readonly Seat[],
  asked: number,
  rule: LeafRule,
): { readonly used: number; readonly because: string | null } {
  const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
  if (rule.is === "unit_is_the_switch") return { used: 1, because: asked > 1 ? "switches go one at a time" : null };
  if (rule.is === "not_applicable") {
    return asked <= seats.length ? { used: asked, because: null } : { used: seats.length, because: count(seats.length, "node", "nodes") };
  }
  const { groups, disjoint } = leafGroups(seats);
  const leaves = new Set(seats.flatMap((seat) => seat.leaves)).size;
  const most = disjoint
    ? groups.reduce((sum, group) => sum + Math.min(group.nodes.length, rule.maxNodesPerLeaf), 0)
    : Math.floor(
        (leaves * rule.maxNodesPerLeaf) / seats.reduce((least, seat) => Math.min(least, seat.leaves.length), Number.MAX_SAFE_INTEGER),
      );
  const used = Math.max(1, Math.min(asked, most, seats.length));
  if (used === asked) return { used, because: null };
  if (used === seats.length) return { used, because: count(used, "node", "nodes") };
  const perLeaf = rule.maxNodesPerLeaf > 1 ? `, ${rule.maxNodesPerLeaf} nodes of each` : "";
  const railed = disjoint && groups.some((group) => group.leaves.length > 1);
  const what = railed
    ? count(groups.length, "group of nodes that share their leaves", "groups of nodes that share their leaves")
    : count(leaves, "leaf", "leaves");
  return { used, because: `${what}${perLeaf}` };
}
