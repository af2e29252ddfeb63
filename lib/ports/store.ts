import type { BaselineSummary } from "@/lib/core/acceptance/baseline";
import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import type { RunContext, RunExecution, RunMeasurement, RunOutput, RunPurpose } from "@/lib/core/acceptance/run";
import type { NextAction } from "@/lib/core/change/action-state";
import type { CommandKind, NewCommand } from "@/lib/core/change/command";
import type { CommandHandle, CommandOutcome, CommandRequest } from "@/lib/core/change/command-request";
import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Component, ObservedField } from "@/lib/core/config-state/observation";
import type { ChangeId, CommandKey, PersonId, Sha256, SubjectId } from "@/lib/core/kernel/ids";
import type { Result } from "@/lib/core/kernel/result";
import type { Plan } from "@/lib/core/plan/plan";
import type { PlanLayout } from "@/lib/core/planner/layout";
import type { ChangeGoal } from "@/lib/core/config-state/goal";
import type { ProfileId } from "@/lib/core/change/gate-profiles";
import type { ChangePeople } from "@/lib/core/change/snapshot";
import type { Notice } from "./notifier";
import type { PersonView, TokenView, NodeView, ChangeRow, AuditRow, ClusterSetup, InventoryEntry, NodeRecord } from "./rows";

export type Actor = PersonId | "worker";
export type AuditEntry = {
  readonly action: string;
  readonly targetId: string | null;
  readonly because: string;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** Everything one look or one person's action writes: one transaction, guarded by the version that was read. */
export type Commit = {
  readonly changeId: ChangeId;
  readonly version: number;
  readonly at: Date;
  readonly actor: Actor;
  readonly moves: readonly Move[];
  readonly commands: readonly NewCommand[];
  /** One line of the change's chain each; the store adds the hashes of the rows it wrote (D17). */
  readonly events: readonly AuditEntry[];
  readonly nextAction: NextAction | null;
  readonly tally: Readonly<Record<string, number>> | null;
  /** A tick: which wake it has seen and when it wants to look again. */
  readonly ticked: { readonly seen: number; readonly lookAgainAt: Date } | null;
  /** Sources that something of this change waits for: read them often (5 s) until this instant, else rarely. */
  readonly wantedReads: readonly string[];
};

export type NewChange = {
  readonly id: ChangeId;
  readonly at: Date;
  readonly authorId: PersonId;
  readonly operatorId: PersonId;
  readonly ownerId: PersonId;
  readonly people: ChangePeople;
  readonly yaml: string;
  readonly plan: Plan;
  readonly layout: PlanLayout;
  readonly goal: ChangeGoal;
  readonly profile: ProfileId;
  readonly purpose: "maintenance" | "rehearsal";
  readonly fingerprint: Sha256;
  readonly standingFingerprint: Sha256;
  readonly event: AuditEntry;
};

export type NewEvidence = { readonly sha256: Sha256; readonly mediaType: string; readonly bytes: Uint8Array; readonly redactions: number };
export type NewObservation = {
  readonly subjectId: SubjectId;
  readonly field: ObservedField;
  readonly component: Component;
  readonly source: string;
  readonly kind: "value" | "absent" | "unreadable";
  readonly text: string | null;
  readonly value: unknown;
  readonly hostEpoch: number;
  readonly modelEpoch: number;
  readonly observedAt: Date;
  readonly request: string;
  readonly observer: string;
  readonly evidenceSha: Sha256 | null;
  readonly changeId: ChangeId | null;
};
/**
 * A boot id (read on the host) or a boot time (as the scheduler lists it). Another boot id, or a boot time more than 3 s later than the stored
 * one, bumps the host epoch once: the bump clears the *other* column, and a column that is null is filled without a bump. So the second source
 * to notice the same reboot does not count it twice.
 */
export type SeenBoot = { readonly subjectId: SubjectId; readonly bootId: string | null; readonly bootedAt: Date | null };
export type SubjectView = {
  readonly subjectId: SubjectId;
  readonly name: string;
  readonly kind: "cluster" | "scale_set" | "node" | "switch";
  readonly hostEpoch: number;
  readonly modelEpoch: number;
  readonly bootId: string | null;
  readonly bootedAt: Date | null;
  readonly gpus: number;
  readonly role: string;
};
export type NewRun = {
  readonly id: string;
  readonly jobId: string;
  readonly classId: number;
  readonly subjectId: SubjectId;
  readonly purpose: RunPurpose;
  readonly repeat: number;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly hostEpoch: number;
  readonly context: RunContext;
  readonly execution: RunExecution;
  readonly output: RunOutput;
  readonly inputSha: string;
  readonly appVersion: string;
  readonly evidenceSha: Sha256 | null;
  readonly measurements: readonly RunMeasurement[];
};
/** Runs of a job from earlier, as a person brought their outputs (R3.3). How they were executed is not known. */
export type EarlierBaseline = {
  readonly id: string;
  readonly jobId: string;
  readonly clusterId: string;
  readonly classLabel: string;
  readonly summary: BaselineSummary;
  readonly by: PersonId;
  readonly at: Date;
  readonly takenAt: Date;
  readonly runs: readonly (Pick<NewRun, "id" | "context" | "output" | "measurements"> & { readonly evidence: NewEvidence })[];
  readonly inputSha: string;
  readonly appVersion: string;
};
export type ClaimedCommand = {
  readonly key: CommandKey;
  readonly kind: CommandKind;
  readonly changeId: ChangeId;
  readonly clusterId: string;
  readonly targetId: string | null;
  readonly subjectId: SubjectId | null;
  readonly classId: number | null;
  readonly generation: number;
  readonly attempt: number;
  readonly request: CommandRequest;
  readonly handle: CommandHandle | null;
  readonly startedAt: Date;
  readonly deadlineAt: Date;
  readonly hostEpoch: number;
  readonly bootId: string | null;
  readonly execution: "automatic" | "manual";
};
/** The record. One implementation (Postgres); every method is one transaction. Infrastructure failures throw, expected ones are values. */
export interface Store {
  // ── changes ──
  /** A name for a new change, "CH-142": short enough to be typed, never given twice. */
  nextChangeId(): Promise<ChangeId>;
  createChange(
    change: NewChange,
  ): Promise<Result<{ readonly changeId: ChangeId }, { readonly code: "unknown_nodes" | "unknown_cluster"; readonly because: string }>>;
  /** One repeatable-read, read-only transaction; null: no such change. */
  loadSnapshot(changeId: ChangeId): Promise<Snapshot | null>;
  /** Every check and command of a change, of every pass and batch; none: no such change. A snapshot holds those that decisions still rest on. */
  wholeEvidence(changeId: ChangeId): Promise<Pick<Snapshot, "checks" | "commands">>;
  /** The plan of the present revision as it was written; null: no such change. */
  planYaml(changeId: ChangeId): Promise<string | null>;
  listChanges(filter: { readonly clusterId?: string; readonly open?: boolean; readonly limit: number }): Promise<readonly ChangeRow[]>;
  /** conflict: somebody else wrote meanwhile; load again and decide again. Bumps the wake unless the commit is an empty tick. Enqueues every command of an automatic change and a tick in the same transaction. */
  commit(commit: Commit): Promise<Result<{ readonly version: number }, { readonly code: "conflict" }>>;
  /** Holds every change of the cluster (R7.6), or lifts that. */
  stopCluster(
    clusterId: string,
    by: PersonId,
    reason: string,
    at: Date,
  ): Promise<Result<void, { readonly code: "already_stopped" | "unknown_cluster" }>>;
  liftStop(
    clusterId: string,
    by: PersonId,
    reason: string,
    at: Date,
  ): Promise<Result<void, { readonly code: "not_stopped" | "unknown_cluster" }>>;
  clusterStop(clusterId: string): Promise<{ readonly ownerId: PersonId; readonly because: string; readonly since: Date } | null>;
  /** An action that was refused is kept too: who, what, why (in the chain of the change, else `site`). */
  refused(chain: string, actor: Actor, at: Date, entry: AuditEntry): Promise<void>;

  // ── engine ──
  /** null: nothing unseen at or above `wakeSeq`. */
  unseenWake(changeId: ChangeId, wakeSeq: number): Promise<{ readonly seen: number } | null>;
  /** Empty look: says that it looked, and refreshes the hints `next_action` and `tally` where they differ, without a new version. */
  ticked(look: {
    readonly changeId: ChangeId;
    readonly seen: number;
    readonly lookAgainAt: Date;
    readonly wantedReads: readonly string[];
    readonly nextAction: NextAction;
    readonly tally: Readonly<Record<string, number>>;
  }): Promise<void>;
  claimCommand(key: CommandKey, worker: string, now: Date): Promise<ClaimedCommand | null>;
  /** Whether this attempt is still the one that may act: nobody has claimed the command since, and it has not ended. */
  ownsCommand(key: CommandKey, attempt: number): Promise<boolean>;
  /** A long start was made: the command stays open and is found again by its handle. */
  storeHandle(key: CommandKey, attempt: number, handle: CommandHandle): Promise<"stored" | "late">;
  /** Ends a command and writes one audit event `command.ended` (key, state, hashes of the rows): evidence, observations, boots, run, outcome, wake, tick, all in one transaction. `late`: somebody else owns it or it has ended; evidence is kept, nothing moves. */
  finishCommand(end: {
    readonly key: CommandKey;
    readonly attempt: number;
    readonly at: Date;
    readonly state: "succeeded" | "failed" | "unknown";
    readonly outcome: CommandOutcome;
    readonly evidence: readonly NewEvidence[];
    readonly evidenceSha: Sha256 | null;
    readonly observations: readonly NewObservation[];
    readonly boots: readonly SeenBoot[];
    readonly run: NewRun | null;
  }): Promise<"recorded" | "late">;
  /** Open commands with a handle, of one cluster. */
  openHandles(clusterId: string): Promise<readonly ClaimedCommand[]>;
  /** Sweep: enqueues whatever the record says is due and not queued: ticks, unsent commands, due reads, waiting messages. */
  sweep(now: Date): Promise<{ readonly ticks: number; readonly commands: number; readonly reads: number; readonly messages: number }>;

  // ── observing ──
  subjects(clusterId: string): Promise<readonly SubjectView[]>;
  /** Values as last written, by `subjectId/field/component/source`: what a read is compared with (D5). */
  latest(
    clusterId: string,
    source: string,
  ): Promise<
    ReadonlyMap<string, { readonly kind: string; readonly text: string | null; readonly hostEpoch: number; readonly modelEpoch: number }>
  >;
  /** complete: everything not among `observations` but listed is confirmed as of `startedAt`. Wakes changes whose targets changed. New boots bump epochs first; observations of those subjects then carry the new epoch. */
  recordRead(read: {
    readonly clusterId: string;
    readonly source: string;
    readonly startedAt: Date;
    readonly complete: boolean;
    readonly listed: number;
    readonly evidence: readonly NewEvidence[];
    readonly observations: readonly NewObservation[];
    readonly boots: readonly SeenBoot[];
    readonly nextInMs: number;
  }): Promise<{ readonly written: number }>;
  failRead(clusterId: string, source: string, at: Date, because: string): Promise<void>;
  /** Telemetry checks that some target waits for now, before-values still to be taken, and every target while a preflight row `telemetry_present` has no verdict: query and node names. */
  wantedTelemetry(clusterId: string): Promise<
    readonly {
      readonly name: string;
      readonly query: string;
      readonly subjects: readonly { readonly subjectId: SubjectId; readonly name: string }[];
    }[]
  >;
  putEvidence(evidence: NewEvidence): Promise<void>;
  /** check -> SHA-256 of everything its newest verdict rests on. */
  checkEvidence(changeId: ChangeId): Promise<ReadonlyMap<string, readonly string[]>>;
  evidence(sha256: string): Promise<{ readonly mediaType: string; readonly bytes: Uint8Array; readonly createdAt: Date } | null>;

  // ── inventory ──
  syncCluster(setup: ClusterSetup, nodes: readonly InventoryEntry[], at: Date): Promise<void>;
  inventory(clusterId: string): Promise<readonly NodeView[]>;
  /** What every layer last said of a node, and the changes it was in, newest first. */
  nodeRecord(subjectId: SubjectId): Promise<NodeRecord>;
  /** At most `limit` changes and as many nodes whose name holds what is wanted, in any case. */
  findThings(
    wanted: string,
    limit: number,
  ): Promise<{
    readonly changes: readonly { readonly id: string; readonly title: string; readonly state: string; readonly outcome: string | null }[];
    readonly nodes: readonly { readonly name: string; readonly cluster: string; readonly service: string | null }[];
  }>;
  clusters(): Promise<
    readonly {
      readonly id: string;
      readonly title: string;
      readonly production: boolean;
      readonly disposable: boolean;
      readonly execution: "automatic" | "manual";
      readonly timezone: string;
      readonly policy: unknown;
      readonly hasTopology: boolean;
      readonly noTopologyBecause: string | null;
      /** Nodes the inventory has now. */ readonly nodes: number;
      readonly reads: readonly {
        readonly source: string;
        readonly confirmsAt: Date | null;
        readonly failedAt: Date | null;
        readonly reason: string | null;
      }[];
    }[]
  >;

  // ── acceptance ──
  /** An existing name and version with other content is refused: versions are immutable. */
  saveAcceptanceJob(
    spec: AcceptanceJobSpec,
    yaml: string,
    by: PersonId,
    fingerprint: Sha256,
    at: Date,
  ): Promise<Result<{ readonly id: string }, { readonly code: "exists_with_other_content" }>>;
  acceptanceJobs(): Promise<
    readonly {
      readonly id: string;
      readonly spec: AcceptanceJobSpec;
      readonly fingerprint: Sha256;
      readonly createdAt: Date;
      readonly authorId: PersonId;
    }[]
  >;

  /** A new baseline of earlier runs with their evidence; an output that is in one of this job already is refused. */
  recordBaseline(
    made: EarlierBaseline,
  ): Promise<
    Result<{ readonly id: string }, { readonly code: "unknown_nodes" } | { readonly code: "already_recorded"; readonly baseline: string }>
  >;
  /** Every baseline of a job, newest first, retired ones too. */
  baselinesOf(jobId: string): Promise<
    readonly {
      readonly id: string;
      readonly changeId: ChangeId | null;
      readonly clusterId: string;
      readonly classLabel: string;
      readonly summary: BaselineSummary;
      readonly capturedBy: PersonId;
      readonly capturedAt: Date;
      readonly retiredAt: Date | null;
    }[]
  >;

  // ── people ──
  person(id: string): Promise<PersonView | null>;
  people(): Promise<readonly PersonView[]>;
  /** By SHA-256 (hex) of the bearer token; revoked, expired and disabled ones are null. Touches last use. */
  personByToken(hash: string, at: Date): Promise<{ readonly person: PersonView; readonly scopes: readonly string[] } | null>;
  passwordOf(email: string): Promise<{ readonly person: PersonView; readonly hash: string } | null>;

  // ── tokens ──
  /** Of one person, or of everybody; newest first. Never the token itself, whose hash alone is kept. */
  tokens(of: PersonId | null): Promise<readonly TokenView[]>;
  createToken(token: Omit<TokenView, "lastUsedAt" | "revokedAt">, hash: Sha256, by: PersonId): Promise<void>;
  /** false: there is no such token, or it is revoked already. */
  revokeToken(id: string, by: PersonId, at: Date): Promise<boolean>;

  // ── audit, messages, health ──
  auditEvents(chain: string): Promise<readonly AuditRow[]>;
  auditChains(): Promise<readonly string[]>;
  /** The last line of a chain; null: there is none. */
  auditHead(chain: string): Promise<Pick<AuditRow, "seq" | "hash"> | null>;
  /** What people wrote since then in every chain, and what the worker ruled that tells; newest first. */
  recentEvents(since: Date, limit: number): Promise<readonly Pick<AuditRow, "chain" | "seq" | "at" | "actor" | "action" | "because">[]>;
  /** The rows whose hashes an event's body carries, recomputed now: `table/key` -> hash, or null when gone. */
  rowHashes(refs: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  message(
    id: string,
  ): Promise<{ readonly id: string; readonly channel: string; readonly notice: Notice; readonly attempts: number } | null>;
  delivered(id: string, at: Date): Promise<void>;
  notDelivered(id: string, because: string, nextTryAt: Date | null): Promise<void>;
  health(): Promise<{
    readonly database: "ok";
    readonly workers: readonly { readonly id: string; readonly beatAt: Date; readonly alive: boolean }[];
    readonly now: Date;
  }>;
}
