/** What a scheduler says of a node, in one vocabulary. `ours`: our drain, or resumed inside our reservation. */
export const SERVICE_STATES = ["in_service", "draining", "drained", "down", "powered_down", "absent", "unknown"] as const;
export type ServiceState = (typeof SERVICE_STATES)[number];

export type NodeJob = { readonly id: string; readonly user: string; readonly endsAt: Date | "no_limit" };

export type Service = {
  readonly state: ServiceState;
  /** The reason text as it stands in the scheduler, null when there is none. */
  readonly reason: string | null;
  readonly ours: boolean;
  /** Every job on the node in any state that holds it, epilog included. */
  readonly jobs: readonly NodeJob[];
};

/** Drained or draining for a reason that is not ours: somebody else's, and left alone (R9.2). */
export const isForeign = (s: Service): boolean => !s.ours && (s.state === "drained" || s.state === "draining");
