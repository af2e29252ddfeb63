/** What a guard saw. `looked` counts the files or modules it really read: a guard that looked at nothing has failed. */
export type Seen = { readonly looked: number; readonly faults: readonly string[] };

/** One rule about the tree under `root`, an absolute folder. */
export type Guard = { readonly name: string; readonly unit: string; readonly look: (root: string) => Promise<Seen> };

/** The faults of a look, with "looked at nothing" as one of them. */
export function faultsOf({ looked, faults }: Seen): readonly string[] {
  return looked > 0 ? faults : ["looked at nothing: the guard or its patterns are broken", ...faults];
}
