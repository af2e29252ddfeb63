/**
 * The smallest scheduler that is still honest: whole nodes, first come first served with backfill. A node is used the moment it is
 * schedulable and something waits for it, so returning a node too early has consequences.
 */
import type { Draft } from "./draft";
import { findFault } from "./faults";
import { expandHosts } from "./hostlist";
import { requeueJob } from "./job-transitions";
import { onNode, reservationsOf, type JobState, type NodeState, type Reservation } from "./state";

export function schedule(draft: Draft): void {
  for (const cluster of draft.state.description.clusters) {
    if (findFault(draft.state.faults, "scheduler-down", { cluster: cluster.name }) !== undefined) continue;
    const all = Object.values(draft.state.jobs).filter((job) => job.cluster === cluster.name);
    const pending = all.filter((job) => job.state === "PENDING").sort((a, b) => a.id - b.id);
    if (pending.length === 0) continue;
    const busy = new Set(all.filter(onNode).flatMap((job) => job.nodes));
    const reservations = reservationsOf(draft.state, cluster.name);
    const nodes = Object.values(draft.state.nodes).filter((node) => node.cluster === cluster.name);
    let first = true;
    for (const job of pending) {
      const verdict = place(draft, job, { nodes, busy, reservations, all });
      if ("nodes" in verdict) {
        for (const name of verdict.nodes) busy.add(name);
        start(draft, job, verdict.nodes);
      } else {
        const reason = verdict.word === "Resources" && !first ? { word: "Priority", text: "" } : verdict;
        if (reason.word !== job.pendingReason.word || reason.text !== job.pendingReason.text)
          draft.putJob({ ...job, pendingReason: reason });
        first = false;
      }
    }
  }
}

type Scene = { nodes: NodeState[]; busy: Set<string>; reservations: Reservation[]; all: JobState[] };
type Verdict = { nodes: string[] } | { word: string; text: string };

function place(draft: Draft, job: JobState, scene: Scene): Verdict {
  if (job.eligibleAt > draft.now) return { word: "BeginTime", text: "" };
  const streamLimit = limitOfStream(draft, job);
  if (streamLimit !== null) {
    const running = scene.all.filter(
      (other) => other.stream === job.stream && draft.state.jobs[`${other.cluster}/${other.id}`]?.state === "RUNNING",
    );
    if (running.length >= streamLimit) return { word: "QOSMaxJobsPerUserLimit", text: "" };
  }
  const reservation = job.reservation === null ? null : scene.reservations.find((r) => r.name === job.reservation);
  if (reservation === undefined) return { word: "Reservation", text: "" };
  if (reservation !== null && (reservation.startAt > draft.now || reservation.endAt <= draft.now)) return { word: "Reservation", text: "" };
  const partition = draft.state.description.clusters.find((c) => c.name === job.cluster)?.partitions.find((p) => p.name === job.partition);
  const members = new Set(expandHosts(partition?.nodes ?? "") ?? []);
  const candidates = scene.nodes.filter((node) =>
    job.required.length > 0 ? job.required.includes(node.name) : members.has(node.name) && (job.within?.includes(node.name) ?? true),
  );
  const unavailable = candidates.filter((node) => !isUp(draft, node));
  const allowed = candidates.filter((node) => isUp(draft, node) && maySchedule(draft, job, node, scene.reservations));
  const free = allowed.filter((node) => !scene.busy.has(node.name) && !epilogShown(draft, node));
  if (job.required.length > 0) {
    if (free.length === job.required.length) return { nodes: free.map((node) => node.name) };
    if (unavailable.length > 0)
      return { word: "ReqNodeNotAvail", text: `ReqNodeNotAvail, UnavailableNodes:${unavailable.map((n) => n.name).join(",")}` };
    if (allowed.length < job.required.length) return { word: "ReqNodeNotAvail", text: "ReqNodeNotAvail, May be reserved for other job" };
    return { word: "Resources", text: "" };
  }
  if (free.length >= job.nodeCount) return { nodes: free.slice(0, job.nodeCount).map((node) => node.name) };
  return { word: "Resources", text: "" };
}

function start(draft: Draft, job: JobState, nodes: string[]): void {
  const armed =
    job.script !== null ? nodes.find((node) => findFault(draft.state.faults, "job-requeued", { cluster: job.cluster, node })) : undefined;
  if (armed !== undefined && job.restarts === 0) return requeueJob(draft, job);
  draft.putJob({ ...job, state: "RUNNING", nodes, startAt: draft.now, pendingReason: { word: "None", text: "" } });
}

function isUp(draft: Draft, node: NodeState): boolean {
  return node.power.on && !node.drained && !node.down && node.rebootOrder === null && node.respondsAt <= draft.now;
}

/** A reserved node serves its reservation only; a job may not run into a reservation that is still to come. */
function maySchedule(draft: Draft, job: JobState, node: NodeState, reservations: Reservation[]): boolean {
  const holding = reservations.filter((r) => r.nodes.includes(node.name) && r.endAt > draft.now);
  if (job.reservation !== null) return holding.some((r) => r.name === job.reservation);
  const endsAt = job.limitS === null ? Infinity : draft.now + job.limitS;
  return holding.every((r) => r.startAt > draft.now && endsAt <= r.startAt);
}

function epilogShown(draft: Draft, node: NodeState): boolean {
  return node.drained && findFault(draft.state.faults, "drain-stuck", { cluster: node.cluster, node: node.name }) !== undefined;
}

function limitOfStream(draft: Draft, job: JobState): number | null {
  if (job.stream === null) return null;
  const streams = draft.state.description.clusters.find((c) => c.name === job.cluster)?.streams ?? [];
  return streams.find((s) => `${s.user}/${s.name}` === job.stream)?.maxRunning ?? null;
}
