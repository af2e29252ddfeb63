import type { Deps } from "@/lib/services/deps";
import type { Crew } from "./crew";

/** Where the demo's people play: the product's use cases, and the hand on the simulated data centre. */
export type Stage = {
  readonly deps: Pick<Deps, "store" | "clock" | "world">;
  readonly crew: Crew;
  /** A fault, as the simulator's README lists them; `clear: true` ends it. */
  readonly fault: (fault: Readonly<Record<string, unknown>> & { readonly fault: string; readonly cluster: string }) => Promise<void>;
};
