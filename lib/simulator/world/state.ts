/**
 * The simulated data centre as one value. Instants are shown epoch seconds. Nodes are keyed `cluster/name`, jobs `cluster/id`,
 * reservations `cluster/name`. Everything is readonly: transitions return a new value.
 */
import type { Hardware, WorldDescription } from "./description";
import type { Fault } from "./faults";

type Reason = { readonly text: string; readonly user: string; readonly at: number };

/** Off: slurmd, sshd and exporter do not answer. `backAt: null`: not by itself, or not while a fault keeps it from booting. */
type Power =
  { readonly on: true } | { readonly on: false; readonly since: number; readonly backAt: number | null; readonly rebooting: boolean };

type RebootOrder = {
  readonly phase: "requested" | "issued";
  readonly at: number;
  readonly asap: boolean;
  readonly nextState: "RESUME" | "DOWN" | null;
  /** The drain before an ASAP order added its own. */
  readonly wasDrained: boolean;
};

/** `installed` differs from `running` between an installation and the reboot that activates it. */
export type Versions = { readonly running: string; readonly installed: string };
export type Part = "driver" | "kernel" | "firmware";

export type NodeState = {
  readonly cluster: string;
  readonly name: string;
  readonly hardware: Hardware;
  readonly features: readonly string[];
  readonly drained: boolean;
  readonly down: boolean;
  readonly reason: Reason | null;
  /** NOT_RESPONDING until then. */
  readonly respondsAt: number;
  readonly power: Power;
  readonly rebootOrder: RebootOrder | null;
  readonly boots: number;
  readonly bootId: string;
  readonly bootedAt: number;
  readonly slurmdStartedAt: number;
  readonly lastBusyAt: number;
  readonly versions: Readonly<Record<Part, Versions>>;
  readonly update: { readonly part: Part; readonly version: string; readonly beganAt: number } | null;
};

export type JobStateWord = "PENDING" | "RUNNING" | "COMPLETING" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMEOUT" | "NODE_FAIL";

export type JobState = {
  readonly cluster: string;
  readonly id: number;
  readonly name: string;
  readonly user: string;
  readonly account: string;
  readonly partition: string;
  readonly state: JobStateWord;
  /** What `state` becomes when the epilog has ended. */
  readonly endState: JobStateWord | null;
  readonly pendingReason: { readonly word: string; readonly text: string };
  readonly nodes: readonly string[];
  readonly nodeCount: number;
  readonly required: readonly string[];
  readonly within: readonly string[] | null;
  readonly reservation: string | null;
  readonly submitAt: number;
  readonly eligibleAt: number;
  readonly startAt: number | null;
  readonly endAt: number | null;
  readonly completingUntil: number | null;
  readonly limitS: number | null;
  /** A simulated job's length; null: it runs until its script ends, or for ever. */
  readonly runS: number | null;
  readonly script: string | null;
  readonly output: string;
  readonly workDir: string;
  readonly command: string;
  readonly gres: string;
  readonly exitCode: number;
  readonly signal: number;
  readonly restarts: number;
  /** `user/name` of the stream that made it. */
  readonly stream: string | null;
};

export type Reservation = {
  readonly cluster: string;
  readonly name: string;
  readonly nodes: readonly string[];
  readonly users: readonly string[];
  readonly accounts: readonly string[];
  readonly flags: readonly string[];
  readonly startAt: number;
  readonly endAt: number;
};

export type WorldState = {
  readonly description: WorldDescription;
  /** Makes boot ids and noise differ between data centres. */
  readonly seed: string;
  readonly nodes: Readonly<Record<string, NodeState>>;
  readonly jobs: Readonly<Record<string, JobState>>;
  readonly reservations: Readonly<Record<string, Reservation>>;
  readonly nextJobId: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
  readonly nextFaultId: number;
};

export const ended = (job: JobState): boolean => !["PENDING", "RUNNING", "COMPLETING"].includes(job.state);
export const onNode = (job: JobState): boolean => job.state === "RUNNING" || job.state === "COMPLETING";

export function nodesOf(state: WorldState, cluster: string): NodeState[] {
  return Object.values(state.nodes).filter((node) => node.cluster === cluster);
}

export function jobsOf(state: WorldState, cluster: string): JobState[] {
  return Object.values(state.jobs).filter((job) => job.cluster === cluster);
}

export function reservationsOf(state: WorldState, cluster: string): Reservation[] {
  return Object.values(state.reservations).filter((reservation) => reservation.cluster === cluster);
}

export function jobsOnNode(state: WorldState, node: NodeState): JobState[] {
  return jobsOf(state, node.cluster).filter((job) => onNode(job) && job.nodes.includes(node.name));
}

/** Reservations that hold the node at this moment. */
export function activeReservations(state: WorldState, node: NodeState, now: number): Reservation[] {
  return reservationsOf(state, node.cluster).filter((r) => r.startAt <= now && now < r.endAt && r.nodes.includes(node.name));
}
