import { leafGroups } from "@/lib/core/topology/leaf-groups";
import type { Seat, Sizes } from "./seat";

/** Fewest batches of nodes whose leaf groups are disjoint; it is always reached (R5.3). */
export function boundOf(seats: readonly Seat[], sizes: Sizes): number {
  const largest = leafGroups(withLeaves(seats)).groups.reduce((most, group) => Math.max(most, group.nodes.length), 0);
  return Math.max(Math.ceil(seats.length / sizes.size), Math.ceil(largest / sizes.perLeaf));
}

/**
 * Disjoint leaf groups, one after the other, dealt round the fewest batches. Members of one group sit on consecutive seats,
 * so no batch gets more than `perLeaf` of them, and batches differ by at most one in size.
 */
export function deal<S extends Seat>(seats: readonly S[], sizes: Sizes): readonly (readonly S[])[] {
  const { groups } = leafGroups(withLeaves(seats));
  const rest = seats.filter((seat) => seat.leaves.length === 0);
  const ordered = groups
    .map((group) => ({ nodes: [...group.nodes].sort(byClassThenName), first: Math.min(...group.nodes.map((seat) => seat.classId)) }))
    .sort((a, b) => a.first - b.first || (a.nodes[0]?.order ?? 0) - (b.nodes[0]?.order ?? 0))
    .flatMap((group) => group.nodes);
  const batches: S[][] = Array.from({ length: boundOf(seats, sizes) }, () => []);
  [...ordered, ...rest.sort(byClassThenName)].forEach((seat, i) => batches[i % batches.length]?.push(seat));
  return batches;
}

const withLeaves = <S extends Seat>(seats: readonly S[]): readonly S[] => seats.filter((seat) => seat.leaves.length > 0);
const byClassThenName = (a: Seat, b: Seat): number => a.classId - b.classId || a.order - b.order;
