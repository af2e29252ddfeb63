import type { ChangeGoal, HostProof, Persistence } from "@/lib/core/config-state/goal";
import type { Component } from "@/lib/core/config-state/observation";
import { maintenanceType } from "./maintenance-types";
import type { Plan } from "./plan";

const PROOF_COMPONENTS: Readonly<Record<string, Component>> = {
  osRelease: "os",
  kernel: "kernel",
  driver: "gpu_driver",
  toolkit: "cuda",
  rdma: "rdma",
  firmware: "hca_firmware",
};

/** What the plan wants to be true at the end: one component and its exact version. */
export function goalOf(plan: Plan): ChangeGoal {
  const { component } = maintenanceType(plan.type);
  const persistence = persistenceOf(plan);
  const { image, version } = plan.target;
  if (image === null) return { component, text: version ?? "", persistence };
  const text = "galleryVersionId" in image ? image.galleryVersionId : `${image.publisher}:${image.offer}:${image.sku}:${image.version}`;
  const hostProof: HostProof = Object.entries(plan.target.hostProof).map(([key, expect]) => ({
    component: PROOF_COMPONENTS[key] ?? "none",
    expect,
  }));
  return { component, text, image, hostProof, persistence };
}

/** Whether a target needs to boot (or be power-cycled) before its new version counts. */
export const isRebootNeeded = (plan: Plan): boolean => maintenanceType(plan.type).reboot !== "none";

/** The column of R7.5 that this plan follows; on a disposable cluster it is a rehearsal. */
export function profileOf(plan: Plan, disposable: boolean): "low" | "medium" | "high" | "emergency" | "rehearsal" {
  if (disposable) return "rehearsal";
  return plan.urgency === "emergency" ? "emergency" : maintenanceType(plan.type).risk;
}

function persistenceOf(plan: Plan): Persistence {
  const { kind, observe } = plan.persistence;
  return kind === "none" || kind === "in_the_device" ? { kind } : { kind, observe: observe ?? "" };
}
