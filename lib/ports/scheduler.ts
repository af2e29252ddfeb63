import type { Result } from "@/lib/core/kernel/result";
import type { ServiceState } from "@/lib/core/node/service";
import type { SourceError } from "./source-error";

/** One node as the scheduler lists it; `raw` is its own slice of the answer, kept as evidence. */
export type ScheduledNode = {
  readonly name: string;
  readonly state: ServiceState;
  /** Base state and flags in the scheduler's own words, for the page: ["IDLE", "DRAIN"]. */
  readonly words: readonly string[];
  readonly reason: string | null;
  readonly reasonBy: string | null;
  readonly reasonAt: Date | null;
  readonly bootedAt: Date | null;
  readonly gpus: number | null;
  readonly partitions: readonly string[];
  readonly features: readonly string[];
  readonly allocatedCpus: number;
  readonly responding: boolean;
  readonly reservation: string | null;
  readonly raw: string;
};

export type ScheduledJob = {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  /** active: may hold a node (running, completing, suspended, configuring, stopped ...); waiting; ended. */
  readonly phase: "waiting" | "active" | "ended";
  readonly state: string;
  readonly nodes: readonly string[];
  readonly startedAt: Date | null;
  readonly endsAt: Date | "no_limit" | null;
  readonly endedAt: Date | null;
  /** Shell exit code; null while it runs or when the scheduler does not say. */
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly requeues: number;
  readonly raw: string;
};

/** digest: SHA-256 (hex) of the whole answer; request: what was asked, for the record. */
export type SchedulerList<T> = {
  readonly entries: readonly T[];
  readonly digest: string;
  readonly request: string;
  readonly version: string;
};
export type Reservation = {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly flags: readonly string[];
  readonly endsAt: Date | null;
  readonly users: readonly string[];
  readonly accounts: readonly string[];
};
export type SchedulerTopology = {
  readonly leaves: readonly { readonly leaf: string; readonly nodes: readonly string[] }[];
  readonly request: string;
  readonly raw: string;
};

/** A batch scheduler. Writes name one node per call and are read back by the caller (R9.4). */
export interface Scheduler {
  ping(): Promise<Result<{ readonly version: string }, SourceError>>;
  listNodes(): Promise<Result<SchedulerList<ScheduledNode>, SourceError>>;
  listJobs(): Promise<Result<SchedulerList<ScheduledJob>, SourceError>>;
  /** null: the site has no topology source in its scheduler. */
  readTopology(): Promise<Result<SchedulerTopology | null, SourceError>>;
  readNode(name: string): Promise<Result<ScheduledNode, SourceError>>;
  readJob(id: string): Promise<Result<ScheduledJob, SourceError>>;
  drain(node: string, reason: string): Promise<Result<void, SourceError>>;
  resume(node: string): Promise<Result<void, SourceError>>;
  /** Plain reboot order: without ASAP and nextstate, which would end the drain (R9.5). `reason`: the drain's, as it stands; a second order would lose it (R9.2). */
  reboot(node: string, reason: string | null): Promise<Result<void, SourceError>>;
  readReservation(name: string): Promise<Result<Reservation | null, SourceError>>;
  /** MAINT, ignoring running jobs, for the acceptance account or user of the configuration, starting now. */
  reserve(reservation: {
    readonly name: string;
    readonly nodes: readonly string[];
    readonly durationMs: number;
  }): Promise<Result<void, SourceError>>;
  /** `in_use` while a job still runs in it: retry. `not_found`: already gone. */
  unreserve(name: string): Promise<Result<void, SourceError>>;
  /** `output`: where its standard output goes on the node. */
  submit(job: {
    readonly name: string;
    readonly nodes: readonly string[];
    readonly reservation: string;
    readonly script: string;
    readonly timeLimitMs: number;
    readonly output: string;
  }): Promise<Result<{ readonly jobId: string }, SourceError>>;
  cancel(jobId: string): Promise<Result<void, SourceError>>;
}
