/** A node in Slurm's words: base state, flags, what runs on it. The same for REST, JSON and text. */
import { findFault } from "@/lib/simulator/world/faults";
import { activeReservations, jobsOnNode, type JobState, type NodeState, type WorldState } from "@/lib/simulator/world/state";

export type NodeView = {
  readonly node: NodeState;
  readonly base: "IDLE" | "ALLOCATED" | "DOWN";
  readonly flags: readonly string[];
  readonly jobs: readonly JobState[];
  readonly reservation: string | null;
  readonly partitions: readonly string[];
  readonly responding: boolean;
};

export function viewNode(state: WorldState, node: NodeState, at: { now: number; partitions: readonly string[] }): NodeView {
  const jobs = jobsOnNode(state, node);
  const reservations = activeReservations(state, node, at.now);
  const responding = node.power.on && node.respondsAt <= at.now;
  const hung = node.drained && findFault(state.faults, "drain-stuck", { cluster: node.cluster, node: node.name }) !== undefined;
  const issued = node.rebootOrder?.phase === "issued";
  const flags = [
    jobs.some((job) => job.state === "COMPLETING") || hung ? "COMPLETING" : null,
    node.drained ? "DRAIN" : null,
    reservations.some((r) => r.flags.includes("MAINT")) ? "MAINTENANCE" : null,
    !responding && !issued ? "NOT_RESPONDING" : null,
    node.rebootOrder === null ? null : issued ? "REBOOT_ISSUED" : "REBOOT_REQUESTED",
    reservations.length > 0 ? "RESERVED" : null,
  ].filter((flag) => flag !== null);
  const running = jobs.some((job) => job.state === "RUNNING");
  return {
    node,
    base: node.down || issued ? "DOWN" : running ? "ALLOCATED" : "IDLE",
    flags,
    jobs,
    reservation: reservations[0]?.name ?? null,
    partitions: at.partitions,
    responding,
  };
}
