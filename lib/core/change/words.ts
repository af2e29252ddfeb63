import type { Post, Role } from "@/lib/core/access/roles";
import type { GateId } from "@/lib/core/check/gate-id";
import type { HoldKind } from "./hold";
import type { ChangeState } from "./state";

/** The words for what sentences name; one vocabulary for page, API, CLI and worker. */
export const GATE_WORDS = {
  acceptance_job: "the acceptance job",
  baseline: "the baseline",
  rehearsal: "the rehearsals",
  plan_approval: "the plan approval",
  preflight: "preflight",
  canary: "the canary",
  acceptance_report: "the canary report",
  sign_off: "the sign-off",
  second_reading: "the second reading",
  batches: "the batches",
  fabric_validation: "fabric validation",
  spot_validation: "spot validation",
  definition_agrees: "the definition",
  close: "the close",
} as const satisfies Record<GateId, string>;

export const HOLD_WORDS = {
  person: "paused by a person",
  stop_all: "all work on this cluster is stopped",
  failed_batch: "a batch failed",
  fourth_failure: "the fourth batch failed",
  canary_rejected: "the canary was rejected",
  window_closed: "the window is closed",
  emergency: "an emergency has the cluster",
  source_lost: "a required source is silent",
  unplanned_arrival: "a node appeared that the plan does not name",
  foreign_action: "somebody else acted on a node of this change",
  lost_drain: "a drain was lifted by somebody else",
  alert: "an alert fires",
} as const satisfies Record<HoldKind, string>;

export const ROLE_WORDS = {
  viewer: "a viewer",
  operator: "an operator",
  workload_owner: "a workload owner",
  approver: "an approver",
  admin: "an administrator",
} as const satisfies Record<Role, string>;

export const POST_WORDS = {
  author: "the author",
  owner: "the owner of the change",
  decision_owner: "the decision owner",
  judge: "the judge named in the acceptance job",
  second_engineer: "the second engineer",
  offered_to: "the person ownership was offered to",
  finding_acceptor: "the person named by the finding",
  hold_owner: "the owner of the hold",
  post_mortem_owner: "the owner of the post-mortem",
} as const satisfies Record<Post, string>;

export const STATE_WORDS = {
  PENDING: "Pending",
  PREFLIGHT: "Preflight",
  IN_PROGRESS: "In progress",
  ROLLBACK: "Rollback",
  COMPLETED: "Completed",
  DEGRADED: "Degraded",
} as const satisfies Record<ChangeState, string>;
