import type { Component } from "@/lib/core/config-state/observation";
import type { MaintenanceTypeName } from "./plan";

export type Minutes = { readonly minMinutes: number; readonly maxMinutes: number };

/** What one kind of maintenance is: facts, no behaviour. `minutes`: per batch; per switch for a switch plan. */
type MaintenanceType = {
  readonly component: Component;
  /** The name inside `target:` that carries the version; null: `target.image`. */
  readonly versionKey: "driver" | "toolkit" | "firmware" | "kernel" | null;
  readonly every: { readonly months: number } | "on_demand";
  readonly reboot: "node" | "none" | "switch" | "power_cycle";
  readonly minutes: Minutes;
  readonly risk: "low" | "medium" | "high";
  /** Where the type's commands run unless the plan says otherwise. */
  readonly on: "node" | "switch" | "bmc";
  /** Firmware lives in the device: no rebuilt node loses it (R1.6). */
  readonly inTheDevice: boolean;
  /** The fabric must be checked between nodes, not only on each (R2.8). */
  readonly needsGroupCheck: boolean;
  readonly rebootTimeoutMs: number;
  readonly fabricValidation: Minutes | null;
  readonly spotValidation: Minutes;
};

const HALF_HOUR = 30 * 60_000;
const FABRIC: Minutes = { minMinutes: 10, maxMinutes: 20 };
const SPOT: Minutes = { minMinutes: 15, maxMinutes: 30 };
const minutes = (minMinutes: number, maxMinutes: number): Minutes => ({ minMinutes, maxMinutes });
const ON_NODE = {
  on: "node",
  inTheDevice: false,
  needsGroupCheck: false,
  rebootTimeoutMs: HALF_HOUR,
  fabricValidation: FABRIC,
  spotValidation: SPOT,
} as const;
const IN_DEVICE = { ...ON_NODE, inTheDevice: true } as const;

export const MAINTENANCE_TYPES = {
  gpu_driver: {
    ...ON_NODE,
    component: "gpu_driver",
    versionKey: "driver",
    every: { months: 3 },
    reboot: "node",
    minutes: minutes(10, 15),
    risk: "medium",
  },
  cuda_toolkit: {
    ...ON_NODE,
    component: "cuda",
    versionKey: "toolkit",
    every: { months: 6 },
    reboot: "none",
    minutes: minutes(2, 2),
    risk: "low",
    fabricValidation: null,
  },
  ib_hca_firmware: {
    ...IN_DEVICE,
    component: "hca_firmware",
    versionKey: "firmware",
    every: { months: 6 },
    reboot: "node",
    minutes: minutes(15, 20),
    risk: "high",
    needsGroupCheck: true,
  },
  ib_switch_firmware: {
    ...IN_DEVICE,
    component: "switch_firmware",
    versionKey: "firmware",
    every: { months: 6 },
    reboot: "switch",
    minutes: minutes(30, 30),
    risk: "high",
    on: "switch",
    needsGroupCheck: true,
  },
  os_kernel: {
    ...ON_NODE,
    component: "kernel",
    versionKey: "kernel",
    every: { months: 1 },
    reboot: "node",
    minutes: minutes(8, 12),
    risk: "low",
  },
  bmc_firmware: {
    ...IN_DEVICE,
    component: "bmc_firmware",
    versionKey: "firmware",
    every: { months: 12 },
    reboot: "power_cycle",
    minutes: minutes(20, 25),
    risk: "medium",
    on: "bmc",
    rebootTimeoutMs: 45 * 60_000,
  },
  vmss_image: {
    ...ON_NODE,
    component: "image",
    versionKey: null,
    every: "on_demand",
    reboot: "node",
    minutes: minutes(15, 25),
    risk: "medium",
  },
} as const satisfies Record<MaintenanceTypeName, MaintenanceType>;

export const maintenanceType = (name: MaintenanceTypeName): MaintenanceType => MAINTENANCE_TYPES[name];
