import type { Baseline } from "@/lib/core/acceptance/baseline";
import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import type { RehearsalFinding } from "@/lib/core/acceptance/rehearsal";
import type { AcceptanceReport } from "@/lib/core/acceptance/report";
import type { Run } from "@/lib/core/acceptance/run";
import type { SecondReadingDifference } from "@/lib/core/acceptance/second-reading";
import type { Check } from "@/lib/core/check/verdict";
import type { CheckSpec } from "@/lib/core/check/spec";
import type { ChangeGoal } from "@/lib/core/config-state/goal";
import type { ChangeId, ClassId, PersonId, Sha256, SubjectId } from "@/lib/core/kernel/ids";
import type { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import type { MaintenanceTypeName, Plan } from "@/lib/core/plan/plan";
import type { PlanLayout } from "@/lib/core/planner/layout";
import type { Batch } from "./batch";
import type { Limits, OutNode } from "./capacity";
import type { CommandView } from "./command";
import type { Decision } from "./decision";
import type { ProfileId } from "./gate-profiles";
import type { Hold } from "./hold";
import type { Narrowing } from "./narrowing";
import type { Obligation } from "./obligation";
import type { Place } from "./place";
import type { RollbackState } from "./rollback";
import type { Separation } from "@/lib/core/access/separation";
import type { ChangeOutcome, ChangeState } from "./state";
import type { Target } from "./target";

/** The people of one change: who the plan names. Empty list: whoever has the role. */
export type ChangePeople = {
  readonly operator: readonly PersonId[];
  readonly workloadOwner: readonly PersonId[];
  readonly approver: readonly PersonId[];
  readonly secondEngineer: readonly PersonId[];
  readonly decisionOwner: PersonId | null;
};

export type LockedJob = {
  readonly classId: ClassId;
  readonly jobId: string;
  readonly spec: AcceptanceJobSpec;
  readonly fingerprint: Sha256;
  readonly baseline: Baseline | null;
  readonly capture: boolean;
  readonly lockedAt: Date;
  readonly lockedById: PersonId;
};
export type ReportView = {
  readonly id: string;
  readonly classId: ClassId;
  readonly number: number;
  readonly body: AcceptanceReport;
  readonly fingerprint: Sha256;
  readonly createdAt: Date;
};
export type ReadingView = {
  readonly id: string;
  readonly reportId: string;
  readonly readerId: PersonId;
  readonly differences: readonly SecondReadingDifference[];
  readonly at: Date;
};
export type RehearsalView = {
  readonly rehearsalId: string;
  readonly kind: "failure" | "recovery";
  readonly finding: RehearsalFinding;
  readonly at: Date;
};
export type FindingView = {
  readonly id: string;
  readonly key: string;
  readonly kind: string;
  readonly on: string;
  readonly because: string;
  readonly blocks: boolean;
  readonly acceptedBy: string | null;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
};
/** `until`: when a decision expires; `revoked`: a later revocation names it. */
export type DecisionView = Decision & { readonly id: string; readonly revoked: boolean; readonly facts: Readonly<Record<string, unknown>> };
export type HoldView = Hold & { readonly id: string; readonly byPerson: boolean };
export type CheckView = Check & {
  readonly classId: ClassId | null;
  readonly spec: CheckSpec;
  readonly reason: string | null;
  readonly judgedAt: Date | null;
};
/** A source and its last reads: null confirmsAt = never read completely. */
export type SourceView = {
  readonly source: string;
  readonly confirmsAt: Date | null;
  readonly failedAt: Date | null;
  readonly reason: string | null;
};

/** Everything `decide`, `gateStates` and `permittedActions` may look at. Loaded in one read-only transaction. */
export type Snapshot = {
  readonly change: {
    readonly id: ChangeId;
    readonly version: number;
    readonly title: string;
    readonly ticket: string | null;
    readonly clusterId: string;
    readonly type: MaintenanceTypeName;
    readonly purpose: "maintenance" | "rehearsal";
    readonly state: ChangeState;
    readonly outcome: ChangeOutcome | null;
    readonly createdAt: Date;
    readonly startedAt: Date | null;
    readonly endedAt: Date | null;
    readonly advance: "manual" | "auto";
    readonly execution: "automatic" | "manual";
    readonly urgency: "planned" | "emergency";
    readonly ownerId: PersonId;
    readonly authorId: PersonId;
    readonly operatorId: PersonId;
    readonly people: ChangePeople;
    readonly revision: number;
    readonly planFingerprint: Sha256;
    readonly standingFingerprint: Sha256;
    /** SHA-256 of the canonical validate list, and of the update and rollback commands: what a rehearsal must have had in common (R7.5). */
    readonly validateSha: Sha256;
    readonly commandsSha: Sha256;
    readonly goal: ChangeGoal;
    readonly profile: ProfileId;
    readonly rebootNeeded: boolean;
    /** A person asked for the canaries (start-canary). */ readonly canariesAskedFor: boolean;
    readonly preflightPassedAt: Date | null;
  };
  readonly plan: Plan;
  readonly layout: PlanLayout;
  /** All narrowings still in force, folded (R4.2). */ readonly narrowing: Narrowing;
  readonly separation: Separation;
  readonly cluster: {
    readonly id: string;
    readonly production: boolean;
    readonly disposable: boolean;
    readonly hasTopology: boolean;
    readonly computeNodes: number;
  };
  readonly classes: readonly { readonly id: ClassId; readonly label: string; readonly facts: NodeClassFacts; readonly nodes: number }[];
  readonly jobs: readonly LockedJob[];
  /** Jobs and valid baselines that could be locked, per class. */ readonly available: readonly {
    readonly classId: ClassId;
    readonly jobId: string;
    readonly spec: AcceptanceJobSpec;
    readonly baselines: readonly Baseline[];
  }[];
  /** Runs of this change, with their measurements. */ readonly runs: readonly Run[];
  /** Newest per class last; only the newest can count. */ readonly reports: readonly ReportView[];
  readonly readings: readonly ReadingView[];
  readonly rehearsals: readonly RehearsalView[];
  /** A second reading is owed because this type is new here or the last one found an ambiguity (R7.5, profile low). */ readonly readingAsked: boolean;
  /** Standing approvals of this cluster and type that may cover this plan. */ readonly standing: readonly DecisionView[];
  readonly windows: readonly { readonly id: string; readonly startsAt: Date; readonly endsAt: Date; readonly timezone: string }[];
  /** End of the last maintenance that touched a node here and is not exempt (R11.3). */ readonly lastMaintenance: {
    readonly endedAt: Date;
    readonly changeId: ChangeId;
    readonly type: MaintenanceTypeName;
  } | null;
  readonly freezes: readonly { readonly startsAt: Date; readonly endsAt: Date; readonly reason: string }[];
  readonly announcedAt: Date | null;
  readonly offer: { readonly id: string; readonly to: PersonId; readonly by: PersonId; readonly expiresAt: Date } | null;
  readonly batches: readonly Batch[];
  readonly targets: readonly Target[];
  /** All commands of the present generation of targets that hold a place or settled last, and all open ones. */ readonly commands: readonly CommandView[];
  /** Checks of targets that hold a place, of the change and its classes and batches, and every blocking one. */ readonly checks: readonly CheckView[];
  readonly holds: readonly HoldView[];
  readonly decisions: readonly DecisionView[];
  readonly findings: readonly FindingView[];
  readonly obligations: readonly Obligation[];
  readonly places: readonly Place[];
  /** Scale sets whose first updated instance of this change was read back and agreed (R3.1). */ readonly readBack: readonly SubjectId[];
  readonly rollback: RollbackState;
  readonly limits: Limits;
  readonly others: readonly OutNode[];
  readonly totalGpus: number;
  /** The change that has nodes of this cluster in hand, if it is not this one (R6.5). */ readonly handOf: ChangeId | null;
  readonly sources: readonly SourceView[];
  /** Who holds which role, for naming people. */ readonly people: readonly {
    readonly id: PersonId;
    readonly name: string;
    readonly roles: readonly string[];
  }[];
  readonly wakeSeq: number;
};
