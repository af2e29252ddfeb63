import type { ObservedField } from "@/lib/core/config-state/observation";
import type { ChangeId, PersonId, SubjectId } from "@/lib/core/kernel/ids";
import type { NodeStep } from "@/lib/core/change/step";
import type { NodeJob, ServiceState } from "@/lib/core/node/service";
import type { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import type { Role } from "@/lib/core/access/roles";
import type { MaintenanceTypeName } from "@/lib/core/plan/plan";

/** What the record gives to be read, row by row; and what configuration and scheduler give to it. */
export type PersonView = {
  readonly id: PersonId;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly disabled: boolean;
  readonly sessionsAfter: Date;
};
export type TokenView = {
  readonly id: string;
  readonly personId: PersonId;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};
export type NodeView = {
  readonly subjectId: SubjectId;
  readonly name: string;
  readonly role: string;
  readonly classLabel: string;
  readonly facts: NodeClassFacts;
  readonly gpus: number;
  readonly hcas: number;
  readonly leaves: readonly { readonly name: string; readonly fabric: string }[] | null;
  readonly partitions: readonly string[];
  readonly scaleSet: string | null;
  readonly service: ServiceState;
  readonly serviceReason: string | null;
  /** The scheduler's own words for it; null: it was never read, and nobody knows its jobs. */
  readonly serviceWords: readonly string[] | null;
  readonly jobs: readonly NodeJob[];
  readonly serviceSince: Date;
  readonly serviceSeenAt: Date | null;
  /** component -> newest text, with its source and age. */
  readonly reported: Readonly<Record<string, { readonly text: string; readonly source: string; readonly observedAt: Date }>>;
  readonly changeId: ChangeId | null;
  readonly step: string | null;
};
export type NodeRecord = {
  readonly layers: readonly {
    readonly field: ObservedField;
    readonly component: string;
    readonly source: string;
    readonly text: string | null;
    readonly observedAt: Date;
  }[];
  readonly changes: readonly {
    readonly id: ChangeId;
    readonly title: string;
    readonly goalText: string;
    readonly endedAt: Date | null;
    readonly batch: number;
    readonly step: NodeStep;
    readonly since: Date;
    readonly because: string | null;
    readonly investigatorId: PersonId | null;
    readonly ticket: string | null;
  }[];
};
export type ChangeRow = {
  readonly id: ChangeId;
  readonly title: string;
  readonly ticket: string | null;
  readonly clusterId: string;
  readonly type: MaintenanceTypeName;
  readonly purpose: "maintenance" | "rehearsal";
  readonly state: string;
  readonly outcome: string | null;
  readonly ownerId: PersonId;
  readonly nextAction: unknown;
  readonly tally: Readonly<Record<string, number>>;
  readonly goalText: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly version: number;
  readonly held: boolean;
};
export type AuditRow = {
  readonly chain: string;
  readonly seq: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly because: string;
  readonly body: string;
  readonly prevHash: string;
  readonly hash: string;
};

/** What the configuration says of a cluster, written at every start (`syncCluster`). */
export type ClusterSetup = {
  readonly id: string;
  readonly title: string;
  readonly production: boolean;
  readonly disposable: boolean;
  readonly execution: "automatic" | "manual";
  readonly timezone: string;
  readonly policy: unknown;
  /** Sources by name ("slurm", "prometheus", "ssh") and which fields each is required for; holds no secret. */ readonly sources: readonly {
    readonly name: string;
    readonly everyMs: number;
    readonly requiredFor: readonly ObservedField[];
  }[];
  readonly topology:
    | {
        readonly is: "configured";
        readonly leaves: readonly { readonly name: string; readonly fabric: string; readonly nodes: readonly string[] }[];
      }
    | { readonly is: "from_scheduler" }
    | { readonly is: "none"; readonly because: string };
};
/** A node as configuration and scheduler together know it. */
export type InventoryEntry = {
  readonly name: string;
  readonly role: string;
  readonly facts: NodeClassFacts;
  readonly partitions: readonly string[];
  readonly leaves: readonly { readonly name: string; readonly fabric: string }[] | null;
};
