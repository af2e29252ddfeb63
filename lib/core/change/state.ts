export type ChangeState = "PENDING" | "PREFLIGHT" | "IN_PROGRESS" | "ROLLBACK" | "COMPLETED" | "DEGRADED";
/** Only with COMPLETED. */
export type ChangeOutcome = "as_planned" | "partial" | "rolled_back" | "withdrawn";
export const NEXT_STATES = {
  PENDING: ["PREFLIGHT", "COMPLETED"],
  PREFLIGHT: ["PENDING", "IN_PROGRESS", "COMPLETED"],
  IN_PROGRESS: ["ROLLBACK", "COMPLETED", "DEGRADED"],
  ROLLBACK: ["IN_PROGRESS"],
  COMPLETED: [],
  DEGRADED: [],
} as const satisfies Record<ChangeState, readonly ChangeState[]>;
