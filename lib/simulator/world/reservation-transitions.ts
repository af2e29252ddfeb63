/** Reservations as Slurm keeps them: a name once, nodes that exist, not deleted while a job of theirs runs, gone when expired. */
import type { Draft } from "./draft";
import { findFault } from "./faults";
import { REFUSALS, type Refusal } from "./refusal";
import { jobsOf, jobsOnNode, onNode, reservationsOf, type Reservation } from "./state";

/** Users who exist in the simulated site beside those of the jobs. */
const STAFF = ["root", "slurm", "clearance"];

export function reserve(draft: Draft, reservation: Reservation): Refusal | null {
  const { cluster, name, nodes, flags } = reservation;
  const fault = nodes.map((node) => findFault(draft.state.faults, "reservation-refused", { cluster, node })).find((f) => f !== undefined);
  if (fault !== undefined) return { errno: REFUSALS.nodesBusy.errno, text: fault.params.message };
  if (draft.state.reservations[`${cluster}/${name}`] !== undefined) return REFUSALS.duplicateReservation;
  if (!reservation.users.every((user) => userExists(draft, cluster, user))) return REFUSALS.invalidUser;
  for (const node of nodes) {
    const known = draft.state.nodes[`${cluster}/${node}`];
    if (known === undefined) return REFUSALS.invalidNode;
    if (!flags.includes("IGNORE_JOBS") && jobsOnNode(draft.state, known).length > 0) return REFUSALS.nodesBusy;
    if (!flags.includes("MAINT") && overlaps(draft, reservation, node)) return REFUSALS.nodesBusy;
  }
  draft.putReservation(reservation);
  return null;
}

export function updateReservation(
  draft: Draft,
  cluster: string,
  name: string,
  end: { endAt?: number; durationS?: number },
): Refusal | null {
  const reservation = draft.state.reservations[`${cluster}/${name}`];
  if (reservation === undefined) return REFUSALS.invalidReservation;
  const endAt = end.endAt ?? (end.durationS === undefined ? reservation.endAt : reservation.startAt + end.durationS);
  draft.putReservation({ ...reservation, endAt });
  return null;
}

export function unreserve(draft: Draft, cluster: string, name: string): Refusal | null {
  const reservation = draft.state.reservations[`${cluster}/${name}`];
  if (reservation === undefined) return REFUSALS.invalidReservation;
  if (jobsOf(draft.state, cluster).some((job) => job.reservation === name && onNode(job))) return REFUSALS.reservationBusy;
  draft.dropReservation(reservation);
  return null;
}

export function expireReservations(draft: Draft): void {
  for (const reservation of Object.values(draft.state.reservations)) {
    if (reservation.endAt <= draft.now) draft.dropReservation(reservation);
  }
}

function overlaps(draft: Draft, wanted: Reservation, node: string): boolean {
  return reservationsOf(draft.state, wanted.cluster).some(
    (r) => !r.flags.includes("MAINT") && r.nodes.includes(node) && r.startAt < wanted.endAt && wanted.startAt < r.endAt,
  );
}

function userExists(draft: Draft, cluster: string, user: string): boolean {
  const description = draft.state.description.clusters.find((c) => c.name === cluster);
  const users = [...(description?.jobs ?? []), ...(description?.streams ?? []), ...(description?.unavailable ?? [])].map((x) => x.user);
  return STAFF.includes(user) || users.includes(user);
}
