/**
 * The only two ways in which the data centre changes: `applyEvent` for what somebody does, `advance` for the time that passes.
 * Both are pure: the same state, event and instant give the same result, so a journal can be replayed.
 */
import { assertNever } from "@/lib/core/kernel/result";

import { openDraft, type Draft } from "./draft";
import type { WorldEvent } from "./events";
import { clearFault, setFault } from "./fault-transitions";
import { advanceJobs, endJob, feedStreams, newJob, type JobRequest } from "./job-transitions";
import {
  advanceNodes,
  beginUpdate,
  cancelReboot,
  changeReason,
  drain,
  endUpdate,
  orderReboot,
  powerCycle,
  resume,
  takeDown,
} from "./node-transitions";
import { REFUSALS, type Refusal } from "./refusal";
import { expireReservations, reserve, unreserve, updateReservation } from "./reservation-transitions";
import { schedule } from "./scheduler";
import { ended, onNode, type NodeState, type WorldState } from "./state";

/** `value` is what the caller needs back: a job's id, a new node's name. */
export type Applied = { readonly state: WorldState; readonly refused: Refusal | null; readonly value: string | null };

export function applyEvent(before: WorldState, event: WorldEvent, now: number): Applied {
  const draft = openDraft(advance(before, now), now);
  const outcome = perform(draft, event);
  if (typeof outcome === "object" && outcome !== null) return { state: draft.state, refused: outcome, value: null };
  return { state: draft.state, refused: null, value: outcome };
}

/** Lets the time pass up to `now`. The same value comes back when nothing was due. */
export function advance(state: WorldState, now: number): WorldState {
  const draft = openDraft(state, now);
  const faults = draft.state.faults.filter((fault) => fault.until === null || fault.until > now);
  if (faults.length !== draft.state.faults.length) draft.state = { ...draft.state, faults };
  advanceJobs(draft);
  advanceNodes(draft);
  expireReservations(draft);
  feedStreams(draft);
  schedule(draft);
  return draft.state;
}

function perform(draft: Draft, event: WorldEvent): Refusal | string | null {
  switch (event.type) {
    case "drain":
    case "take-down":
    case "change-reason": {
      const change = { drain, "take-down": takeDown, "change-reason": changeReason }[event.type];
      return withNode(draft, event, (node) => (change(draft, node, event), null));
    }
    case "resume":
      return withNode(draft, event, (node) => resume(draft, node));
    case "order-reboot":
      return withNode(draft, event, (node) => (orderReboot(draft, node, event), null));
    case "cancel-reboot":
      return withNode(draft, event, (node) => cancelReboot(draft, node));
    case "power-cycle":
      return withNode(draft, event, (node) => (powerCycle(draft, node), null));
    case "begin-update":
      return withNode(draft, event, (node) => beginUpdate(draft, node, event.part, event.version));
    case "end-update":
      return withNode(draft, event, (node) => (endUpdate(draft, node, event.succeeded), null));
    case "submit":
      return submit(draft, event.cluster, event.job);
    case "cancel":
      return cancel(draft, event.cluster, event.id);
    case "job-ended":
      return endScript(draft, event);
    case "reserve":
      return reserve(draft, event.reservation);
    case "update-reservation":
      return updateReservation(draft, event.cluster, event.name, event);
    case "unreserve":
      return unreserve(draft, event.cluster, event.name);
    case "set-fault":
      return setFault(draft, event);
    case "clear-fault":
      return clearFault(draft, event);
    case "note":
      return null;
    default:
      return assertNever(event);
  }
}

function withNode(draft: Draft, at: { cluster: string; node: string }, change: (node: NodeState) => Refusal | null): Refusal | null {
  const node = draft.state.nodes[`${at.cluster}/${at.node}`];
  return node === undefined ? REFUSALS.invalidNode : change(node);
}

function submit(draft: Draft, cluster: string, request: JobRequest): Refusal | string {
  const description = draft.state.description.clusters.find((c) => c.name === cluster);
  if (request.partition !== undefined && !description?.partitions.some((p) => p.name === request.partition))
    return REFUSALS.invalidPartition;
  if ((request.required ?? []).some((name) => draft.state.nodes[`${cluster}/${name}`] === undefined)) return REFUSALS.invalidNode;
  if (request.reservation !== undefined && request.reservation !== null) {
    const reservation = draft.state.reservations[`${cluster}/${request.reservation}`];
    if (reservation === undefined) return REFUSALS.invalidReservation;
    const admitted = reservation.users.includes(request.user) || reservation.accounts.includes(request.account ?? "");
    if (!admitted) return REFUSALS.reservationAccess;
  }
  return String(newJob(draft, cluster, request).id);
}

function cancel(draft: Draft, cluster: string, id: number): Refusal | null {
  const job = draft.state.jobs[`${cluster}/${id}`];
  if (job === undefined) return REFUSALS.invalidJob;
  if (ended(job)) return REFUSALS.alreadyDone;
  endJob(draft, job, { state: "CANCELLED", signal: onNode(job) ? 15 : 0 });
  return null;
}

function endScript(draft: Draft, event: Extract<WorldEvent, { type: "job-ended" }>): null {
  const job = draft.state.jobs[`${event.cluster}/${event.id}`];
  if (job === undefined || job.state !== "RUNNING") return null;
  const failed = event.exitCode !== 0 || event.signal !== 0;
  endJob(draft, job, { state: event.lost ? "NODE_FAIL" : failed ? "FAILED" : "COMPLETED", exitCode: event.exitCode, signal: event.signal });
  return null;
}
