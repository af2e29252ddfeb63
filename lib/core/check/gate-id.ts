/** The ordered conditions of R7.5, from the locked job to the close. */
export const GATES = [
  "acceptance_job",
  "baseline",
  "rehearsal",
  "plan_approval",
  "preflight",
  "canary",
  "acceptance_report",
  "sign_off",
  "second_reading",
  "batches",
  "fabric_validation",
  "spot_validation",
  "definition_agrees",
  "close",
] as const;
export type GateId = (typeof GATES)[number];
