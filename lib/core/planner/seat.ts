import type { ClassId, LeafId } from "@/lib/core/kernel/ids";

/** A node that will be planned, with the leaves that count for it; none where the leaf rule does not apply. `order`: its place among all names in natural order. */
export type Seat = { readonly name: string; readonly order: number; readonly classId: ClassId; readonly leaves: readonly LeafId[] };
export type Sizes = { readonly size: number; readonly perLeaf: number };
