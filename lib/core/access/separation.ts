import type { PersonId } from "@/lib/core/kernel/ids";

/** authorIds: wrote any revision of the plan. ranIds: issued any command of this change (R4.4). */
export type Separation = { readonly authorIds: readonly PersonId[]; readonly ranIds: readonly PersonId[] };

/** What this person did to the change that forbids approving, signing or waiving it; null: nothing (R4.4). */
export const isOwnWork = (person: PersonId, separation: Separation): "wrote" | "ran" | null =>
  separation.authorIds.includes(person) ? "wrote" : separation.ranIds.includes(person) ? "ran" : null;
