import type { Reason } from "./reason";

/** Why something does not move at this moment; computed, vanishes with its cause. */
export type Wait = {
  readonly about: { readonly what: "change" | "batch" | "target"; readonly id: string };
  readonly because: Reason;
  readonly until: Date | null;
};
