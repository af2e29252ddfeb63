import type { ObservationId, SubjectId } from "@/lib/core/kernel/ids";

export const CONFIG_FIELDS = ["cluster_definition", "vmss_model", "instance_model", "host_report"] as const;
export type ConfigField = (typeof CONFIG_FIELDS)[number];
export const OBSERVED_FIELDS = [...CONFIG_FIELDS, "service", "workload", "power", "topology", "telemetry"] as const;
export type ObservedField = (typeof OBSERVED_FIELDS)[number];
export const COMPONENTS = [
  "image",
  "os",
  "kernel",
  "gpu_driver",
  "gpu_driver_library",
  "cuda",
  "rdma",
  "hca_firmware",
  "switch_firmware",
  "bmc_firmware",
  "scheduler_agent",
  "host_key",
  "none",
] as const;
export type Component = (typeof COMPONENTS)[number];
type FieldTraits = {
  readonly subject: "cluster" | "scale_set" | "node" | "switch";
  readonly epoch: "host" | "model" | "none";
  readonly maxAgeMs: number;
  readonly listed: boolean;
};
/** epoch: which counter ends its validity. listed: one list call reads it for every node, so a complete read confirms it. */
export const FIELD_TRAITS = {
  cluster_definition: { subject: "cluster", epoch: "none", maxAgeMs: 15 * 60_000, listed: true },
  vmss_model: { subject: "scale_set", epoch: "model", maxAgeMs: 15 * 60_000, listed: true },
  instance_model: { subject: "node", epoch: "model", maxAgeMs: 15 * 60_000, listed: true },
  host_report: { subject: "node", epoch: "host", maxAgeMs: 24 * 3600_000, listed: false },
  service: { subject: "node", epoch: "none", maxAgeMs: 60_000, listed: true },
  workload: { subject: "node", epoch: "none", maxAgeMs: 60_000, listed: true },
  power: { subject: "node", epoch: "none", maxAgeMs: 120_000, listed: true },
  topology: { subject: "cluster", epoch: "none", maxAgeMs: 24 * 3600_000, listed: true },
  telemetry: { subject: "node", epoch: "host", maxAgeMs: 60_000, listed: true },
} as const satisfies Record<ObservedField, FieldTraits>;

export const UNKNOWN_BECAUSE = [
  "never_observed",
  "before_reboot",
  "before_model_change",
  "too_old",
  "unreadable",
  "absent",
  "source_unreachable",
  "sources_disagree",
] as const;
export type UnknownBecause = (typeof UNKNOWN_BECAUSE)[number];
export type Epochs = { readonly host: number; readonly model: number };
export type Observed = {
  readonly id: ObservationId;
  readonly subjectId: SubjectId;
  readonly field: ObservedField;
  readonly component: Component;
  readonly source: string;
  readonly kind: "value" | "absent" | "unreadable";
  readonly text: string | null;
  readonly value: unknown;
  readonly epochs: Epochs;
  readonly observedAt: Date;
  /** observedAt, or the start of the source's newest complete read that listed the subject. */
  readonly confirmedAt: Date;
};
export type Known<T> =
  | {
      readonly is: "value";
      readonly value: T;
      readonly cites: readonly ObservationId[];
      readonly at: Date;
      readonly sources: readonly string[];
    }
  | { readonly is: "unknown"; readonly because: UnknownBecause; readonly last: readonly Observed[] };
