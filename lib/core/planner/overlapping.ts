import type { LeafId } from "@/lib/core/kernel/ids";
import { fullestLeaf } from "@/lib/core/topology/leaf-groups";
import type { Seat, Sizes } from "./seat";

/** Placings tried from scratch with one more batch each, as long as the work stays small; after that missing batches are added on the way. */
const MAX_WORK = 20_000_000;

export const overlappingBound = (seats: readonly Seat[], sizes: Sizes): number =>
  Math.max(Math.ceil(seats.length / sizes.size), Math.ceil(fullestLeaf(seats) / sizes.perLeaf));

/** Leaf sets that overlap: the most constrained nodes first, beginning with as many batches as the lower bound and adding until all fit. */
export function placeOverlapping<S extends Seat>(seats: readonly S[], sizes: Sizes): readonly (readonly S[])[] {
  const ordered = mostConstrainedFirst(seats);
  const bound = overlappingBound(seats, sizes);
  let work = 0;
  for (let count = bound; ; count++) {
    work += seats.length * count;
    const placed = place(ordered, sizes, count, work > MAX_WORK);
    if (placed !== null) return placed;
  }
}

type Draft<S> = { readonly seats: S[]; readonly onLeaf: Map<LeafId, number> };

/** Each node into the emptiest batch that can take it; null when one finds no place and no batch may be added. */
function place<S extends Seat>(ordered: readonly S[], sizes: Sizes, count: number, mayAdd: boolean): S[][] | null {
  const drafts: Draft<S>[] = Array.from({ length: count }, () => ({ seats: [], onLeaf: new Map() }));
  for (const seat of ordered) {
    let best: Draft<S> | null = null;
    for (const draft of drafts) {
      if (best !== null && draft.seats.length >= best.seats.length) continue;
      if (fits(draft, seat, sizes)) best = draft;
    }
    if (best === null) {
      if (!mayAdd) return null;
      best = { seats: [], onLeaf: new Map() };
      drafts.push(best);
    }
    best.seats.push(seat);
    for (const leaf of seat.leaves) best.onLeaf.set(leaf, (best.onLeaf.get(leaf) ?? 0) + 1);
  }
  return drafts.map((draft) => draft.seats).filter((batch) => batch.length > 0);
}

const fits = <S extends Seat>(draft: Draft<S>, seat: Seat, sizes: Sizes): boolean =>
  draft.seats.length < sizes.size && seat.leaves.every((leaf) => (draft.onLeaf.get(leaf) ?? 0) < sizes.perLeaf);

/** Those whose leaves are shared with most others; then those with more leaves; then by name. */
function mostConstrainedFirst<S extends Seat>(seats: readonly S[]): readonly S[] {
  const counts = new Map<LeafId, number>();
  for (const seat of seats) for (const leaf of seat.leaves) counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
  const ranked = seats.map((seat) => {
    const loads = seat.leaves.map((leaf) => counts.get(leaf) ?? 0);
    return { seat, fullest: Math.max(0, ...loads), sum: loads.reduce((a, b) => a + b, 0) };
  });
  ranked.sort((a, b) => b.fullest - a.fullest || b.sum - a.sum || a.seat.order - b.seat.order);
  return ranked.map((r) => r.seat);
}
