/** A world under change: copies a collection at its first write and gives the same value back when nothing was written. */
import type { JobState, NodeState, Reservation, WorldState } from "./state";

export type Draft = {
  state: WorldState;
  /** Shown epoch seconds of this transition. */
  readonly now: number;
  putNode: (node: NodeState) => void;
  dropNode: (node: NodeState) => void;
  putJob: (job: JobState) => void;
  dropJob: (job: JobState) => void;
  putReservation: (reservation: Reservation) => void;
  dropReservation: (reservation: Reservation) => void;
};

export function openDraft(initial: WorldState, now: number): Draft {
  const fresh = new Set<string>();
  const write = <K extends "nodes" | "jobs" | "reservations">(collection: K, change: (record: Record<string, unknown>) => void): void => {
    if (!fresh.has(collection)) {
      draft.state = { ...draft.state, [collection]: { ...draft.state[collection] } };
      fresh.add(collection);
    }
    change(draft.state[collection] as Record<string, unknown>); // our own copy, made above
  };
  const draft: Draft = {
    state: initial,
    now,
    putNode: (node) => write("nodes", (r) => (r[`${node.cluster}/${node.name}`] = node)),
    dropNode: (node) => write("nodes", (r) => delete r[`${node.cluster}/${node.name}`]),
    putJob: (job) => write("jobs", (r) => (r[`${job.cluster}/${job.id}`] = job)),
    dropJob: (job) => write("jobs", (r) => delete r[`${job.cluster}/${job.id}`]),
    putReservation: (reservation) => write("reservations", (r) => (r[`${reservation.cluster}/${reservation.name}`] = reservation)),
    dropReservation: (reservation) => write("reservations", (r) => delete r[`${reservation.cluster}/${reservation.name}`]),
  };
  return draft;
}
