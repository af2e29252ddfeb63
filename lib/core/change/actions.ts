import type { Post, Role } from "@/lib/core/access/roles";
import type { DecidedOn, DecisionKind } from "./decision";
import type { ChangeState } from "./state";

/** by: any of these. apart: neither wrote the plan nor issued a command of this change (R4.4). on: what the request's `on` names. in: states in which it can be open at all.
    In profile rehearsal the operator stands for the approver of approve-plan and nobody is kept apart (R7.5). records: the decision it writes. audit: the event's name. When it is open, and what it does: MODEL.md 4.4. `POST /api/v1/changes/{id}/actions/{action}`; the two on `cluster` under /clusters/{id}. */
type ActionTraits = {
  readonly by: readonly (Role | Post)[];
  readonly apart: boolean;
  readonly on: DecidedOn["what"];
  readonly in: readonly ChangeState[];
  readonly records: DecisionKind | null;
  readonly audit: string;
};
const DRAFT = ["PENDING", "PREFLIGHT"] as const,
  RUNNING = ["IN_PROGRESS", "ROLLBACK"] as const,
  OPEN = [...DRAFT, ...RUNNING] as const;
export const ACTION_TRAITS = {
  "edit-plan": { by: ["operator"], apart: false, on: "change", in: [...DRAFT, "IN_PROGRESS"], records: null, audit: "plan.revised" },
  narrow: { by: ["operator", "owner"], apart: false, on: "change", in: OPEN, records: "narrowing", audit: "plan.narrowed" },
  "split-class": { by: ["workload_owner"], apart: false, on: "class", in: ["PENDING"], records: "class_split", audit: "class.split" },
  "merge-classes": { by: ["approver"], apart: true, on: "class", in: ["PENDING"], records: "class_merge", audit: "class.merged" },
  "lock-job": { by: ["workload_owner"], apart: false, on: "change", in: ["PENDING"], records: null, audit: "job.locked" },
  "capture-baseline": {
    by: ["operator"],
    apart: false,
    on: "class",
    in: [...DRAFT, "IN_PROGRESS"],
    records: null,
    audit: "baseline.captured",
  },
  "link-rehearsal": { by: ["operator"], apart: false, on: "change", in: DRAFT, records: null, audit: "rehearsal.linked" },
  "accept-finding": {
    by: ["finding_acceptor"],
    apart: true,
    on: "finding",
    in: OPEN,
    records: "finding_accepted",
    audit: "finding.accepted",
  },
  "approve-plan": {
    by: ["approver"],
    apart: true,
    on: "change",
    in: [...DRAFT, "IN_PROGRESS"],
    records: "plan_approval",
    audit: "plan.approved",
  },
  "reject-plan": {
    by: ["approver"],
    apart: true,
    on: "change",
    in: [...DRAFT, "IN_PROGRESS"],
    records: "rejection",
    audit: "plan.rejected",
  },
  "book-window": { by: ["operator"], apart: false, on: "change", in: [...DRAFT, "IN_PROGRESS"], records: null, audit: "window.booked" },
  "cancel-window": { by: ["operator"], apart: false, on: "window", in: OPEN, records: null, audit: "window.cancelled" },
  "run-preflight": {
    by: ["operator"],
    apart: false,
    on: "change",
    in: [...DRAFT, "IN_PROGRESS"],
    records: null,
    audit: "preflight.started",
  },
  "run-check": { by: ["operator"], apart: false, on: "check", in: OPEN, records: null, audit: "check.run_again" },
  waive: { by: ["approver"], apart: true, on: "check", in: OPEN, records: "waiver", audit: "check.waived" },
  "upload-evidence": { by: ["operator", "workload_owner"], apart: false, on: "check", in: OPEN, records: null, audit: "evidence.uploaded" },
  "start-canary": {
    by: ["operator"],
    apart: false,
    on: "change",
    in: ["PREFLIGHT", "IN_PROGRESS"],
    records: null,
    audit: "canary.started",
  },
  judge: { by: ["judge"], apart: true, on: "check", in: RUNNING, records: "judgement", audit: "difference.judged" },
  "sign-off": { by: ["approver"], apart: true, on: "report", in: ["IN_PROGRESS"], records: "sign_off", audit: "canary.signed_off" },
  "reject-canary": { by: ["approver"], apart: true, on: "report", in: ["IN_PROGRESS"], records: "rejection", audit: "canary.rejected" },
  "void-canary": {
    by: ["operator", "approver", "workload_owner"],
    apart: false,
    on: "report",
    in: RUNNING,
    records: "canary_void",
    audit: "canary.voided",
  },
  "record-reading": { by: ["second_engineer"], apart: true, on: "report", in: RUNNING, records: null, audit: "reading.recorded" },
  "start-batch": { by: ["operator"], apart: false, on: "batch", in: ["PREFLIGHT", "IN_PROGRESS"], records: null, audit: "batch.started" },
  pause: { by: ["operator", "owner"], apart: false, on: "change", in: [...RUNNING], records: "hold", audit: "hold.set" },
  resume: { by: ["hold_owner", "owner"], apart: false, on: "change", in: [...RUNNING], records: "hold_release", audit: "hold.lifted" },
  decide: { by: ["decision_owner"], apart: false, on: "batch", in: RUNNING, records: "failed_batch", audit: "batch.decided" },
  "decide-drain": {
    by: ["decision_owner", "operator"],
    apart: false,
    on: "target",
    in: RUNNING,
    records: "drain_deadline",
    audit: "drain.decided",
  },
  "ask-checkpoint": { by: ["operator"], apart: false, on: "target", in: OPEN, records: null, audit: "user.asked" },
  "retry-node": { by: ["operator"], apart: false, on: "target", in: ["IN_PROGRESS"], records: null, audit: "target.retried" },
  "withdraw-node": { by: ["operator", "owner"], apart: false, on: "target", in: OPEN, records: "leave_out", audit: "target.skipped" },
  "defer-node": { by: ["operator", "owner"], apart: false, on: "target", in: OPEN, records: "leave_out", audit: "target.deferred" },
  "roll-back-node": {
    by: ["decision_owner", "operator"],
    apart: false,
    on: "target",
    in: RUNNING,
    records: "roll_back",
    audit: "target.roll_back",
  },
  "release-node": { by: ["decision_owner"], apart: false, on: "target", in: RUNNING, records: "release", audit: "target.released" },
  "assign-investigator": { by: ["operator", "owner"], apart: false, on: "target", in: RUNNING, records: null, audit: "target.assigned" },
  "grant-relaxation": { by: ["approver"], apart: true, on: "change", in: OPEN, records: "relaxation", audit: "relaxation.granted" },
  "confirm-definition": { by: ["operator"], apart: false, on: "change", in: RUNNING, records: null, audit: "definition.confirmed" },
  "run-fabric-validation": {
    by: ["operator"],
    apart: false,
    on: "change",
    in: ["IN_PROGRESS"],
    records: null,
    audit: "fabric_validation.started",
  },
  "run-spot-validation": {
    by: ["operator"],
    apart: false,
    on: "change",
    in: ["IN_PROGRESS"],
    records: null,
    audit: "spot_validation.started",
  },
  "offer-ownership": { by: ["owner"], apart: false, on: "change", in: OPEN, records: null, audit: "ownership.offered" },
  "accept-ownership": { by: ["offered_to"], apart: false, on: "change", in: OPEN, records: null, audit: "ownership.accepted" },
  "decline-ownership": { by: ["offered_to"], apart: false, on: "change", in: OPEN, records: null, audit: "ownership.declined" },
  "settle-obligation": { by: ["operator"], apart: false, on: "obligation", in: OPEN, records: "release", audit: "obligation.settled" },
  revoke: { by: ["approver"], apart: true, on: "decision", in: OPEN, records: "revocation", audit: "decision.revoked" },
  withdraw: { by: ["author", "owner"], apart: false, on: "change", in: DRAFT, records: null, audit: "change.withdrawn" },
  close: { by: ["owner"], apart: false, on: "change", in: ["IN_PROGRESS"], records: null, audit: "change.closed" },
  "stop-all": { by: ["operator"], apart: false, on: "cluster", in: OPEN, records: "hold", audit: "cluster.stopped" },
  "lift-stop": { by: ["approver"], apart: false, on: "cluster", in: OPEN, records: "hold_release", audit: "cluster.stop_lifted" },
} as const satisfies Record<string, ActionTraits>;
export type Action = keyof typeof ACTION_TRAITS;
export const ACTIONS = Object.keys(ACTION_TRAITS) as readonly Action[];
