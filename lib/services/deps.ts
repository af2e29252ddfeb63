import type { Policy } from "@/lib/core/change/policy";
import type { Sha256 } from "@/lib/core/kernel/ids";
import type { Clock } from "@/lib/ports/clock";
import type { Log } from "@/lib/ports/log";
import type { Metrics } from "@/lib/ports/metrics";
import type { NodeShell } from "@/lib/ports/node-shell";
import type { Notifier } from "@/lib/ports/notifier";
import type { Scheduler } from "@/lib/ports/scheduler";
import type { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import type { ClusterSetup } from "@/lib/ports/rows";
import type { Store } from "@/lib/ports/store";

/** The outside world of one cluster. A system the site has not configured is null, and what needs it is unresolved, never passed. */
export type ClusterWorld = {
  readonly scheduler: Scheduler;
  readonly shell: NodeShell;
  readonly metrics: Metrics | null;
  /** Whether reboots are ordered from the scheduler or on the host. */
  readonly rebootVia: "scheduler" | "ssh";
  /** Label by which series are matched to nodes, besides the usual ones. */
  readonly nodeLabel: string | null;
};

/** What the configuration file says of a cluster: its set-up, and who its nodes are, first match first. */
export type ClusterSite = {
  readonly setup: ClusterSetup;
  readonly nodes: readonly { readonly names: readonly string[]; readonly role: string; readonly facts: NodeClassFacts }[];
};

export type Hashing = { readonly text: (text: string) => Sha256; readonly bytes: (bytes: Uint8Array) => Sha256 };

/** What the use cases are handed. Each takes the part it needs. */
export type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly hash: Hashing;
  readonly newId: () => string;
  readonly world: (clusterId: string) => ClusterWorld | null;
  readonly policy: (clusterId: string) => Policy;
  readonly site: (clusterId: string) => ClusterSite | null;
  readonly notifiers: readonly Notifier[];
};
