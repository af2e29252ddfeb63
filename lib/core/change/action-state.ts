import type { Post, Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { Action } from "./actions";
import type { Reason } from "./reason";
import type { Wait } from "./wait";

export type ActionState = {
  readonly action: Action;
  readonly on: string | null;
  readonly who: {
    readonly by: readonly (Role | Post)[];
    /** Who may act as things stand: everybody with the role, the named ones where the plan names any, and who holds a post. */
    readonly people: readonly PersonId[];
    /** Kept apart: they wrote or ran it, or have signed already. */
    readonly notPeople: readonly PersonId[];
    /** Of notPeople, who wrote a revision of the plan. */
    readonly wrote: readonly PersonId[];
    /** Of notPeople, who has signed or read this record already. */
    readonly already: readonly PersonId[];
    /** Readers of this record who have to record their second reading before signing it (R4.4). */
    readonly readFirst: readonly PersonId[];
  };
} & ({ readonly permitted: true } | { readonly permitted: false; readonly because: readonly Reason[] });
export type NextAction =
  | { readonly by: "person"; readonly action: Action; readonly on: string | null; readonly who: readonly PersonId[] }
  | { readonly by: "worker"; readonly doing: string; readonly waits: readonly Wait[] }
  | { readonly by: "nobody"; readonly because: string };
