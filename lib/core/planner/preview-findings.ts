import { minutesText } from "@/lib/core/kernel/duration-text";
import type { InventoryNode } from "@/lib/core/node/inventory-node";
import { batchesWithin, workAndTotal } from "@/lib/core/plan/duration";
import { maintenanceType } from "@/lib/core/plan/maintenance-types";
import type { Plan } from "@/lib/core/plan/plan";
import type { PlanFinding } from "./planned";

export type PreviewWindow = {
  readonly startUtc: string;
  readonly endUtc: string;
  readonly minutes: number;
  readonly fits: boolean;
  readonly because?: string;
};
type Batches = readonly (readonly string[])[];

/** What the approver is shown of the plan itself: rollback, persistence, lost disks, missing checks (R1.6, R2.8, R8.3). */
export function planFindings(plan: Plan): readonly PlanFinding[] {
  const findings: PlanFinding[] = [];
  const approver = (code: PlanFinding["code"], text: string): number => findings.push({ code, text, acceptedBy: "approver" });
  const of = (capability: string): string =>
    plan.rollback
      .filter((part) => part.capability === capability)
      .map((part) => part.name)
      .join(", ");
  if (plan.rollback.length === 0)
    approver("rollback_untested", "The plan names no way back: a failed node stays out until a person repairs it.");
  if (of("untested") !== "")
    approver("rollback_untested", `Going back is untested for ${of("untested")}: nothing is sent to it unless this is accepted.`);
  if (of("impossible") !== "")
    approver("rollback_impossible", `Going back is impossible for ${of("impossible")}: a failed node stays out.`);
  if (plan.persistence.kind === "none")
    approver("persistence_none", "Nothing keeps the new version: a rebuilt node returns to the old one.");
  if (plan.type === "vmss_image" && plan.osDisk !== null && plan.osDisk.lost.length > 0) {
    approver(
      "os_disk_lost",
      `A reimage loses ${plan.osDisk.lost.join(", ")}${plan.osDisk.rebuiltBy === null ? "" : `; rebuilt by ${plan.osDisk.rebuiltBy}`}.`,
    );
  }
  if (!plan.validate.some((check) => check.scope === "node") && plan.telemetry.length === 0) {
    approver("validation_missing", "No node is validated: the plan has neither a validate command per node nor telemetry.");
  }
  if (maintenanceType(plan.type).needsGroupCheck && !plan.validate.some((check) => check.scope === "group")) {
    findings.push({
      code: "group_check_missing",
      text: `${plan.type} needs a check of scope group over the fabric.`,
      acceptedBy: "nobody",
    });
  }
  if (plan.canaries.perClass === 0) approver("no_canary", "No canary: only a rehearsal on a disposable cluster may go without.");
  return findings;
}

/** A batch above 25 % of a class or a partition (R6.4); one finding for each, naming the worst batch. */
export function quarterFindings(
  batches: Batches,
  compute: readonly InventoryNode[],
  classes: ReadonlyMap<string, string>,
): readonly PlanFinding[] {
  const worst = (
    groupsOf: (name: string) => readonly string[],
  ): readonly { group: string; batch: number; count: number; total: number }[] => {
    const totals = new Map<string, number>();
    for (const node of compute) for (const group of groupsOf(node.name)) totals.set(group, (totals.get(group) ?? 0) + 1);
    const found = new Map<string, { group: string; batch: number; count: number; total: number }>();
    batches.forEach((batch, i) => {
      const counts = new Map<string, number>();
      for (const name of batch) for (const group of groupsOf(name)) counts.set(group, (counts.get(group) ?? 0) + 1);
      for (const [group, count] of counts) {
        const total = totals.get(group) ?? 0;
        if (count * 4 > total && count > (found.get(group)?.count ?? 0)) found.set(group, { group, batch: i + 1, count, total });
      }
    });
    return [...found.values()];
  };
  const partitions = new Map(compute.map((node) => [node.name, node.partitions ?? []]));
  const sentence = (what: string, w: { group: string; batch: number; count: number; total: number }): string =>
    `Batch ${w.batch} takes ${w.count} of the ${w.total} nodes of ${what} ${w.group}, which is more than 25 %.`;
  const ofClass = worst((name) => (classes.has(name) ? [classes.get(name) ?? ""] : []));
  const ofPartition = worst((name) => partitions.get(name) ?? []);
  return [
    ...ofClass.map((w): PlanFinding => ({ code: "quarter_of_class", text: sentence("class", w), acceptedBy: "approver" })),
    ...ofPartition.map((w): PlanFinding => ({ code: "quarter_of_partition", text: sentence("partition", w), acceptedBy: "approver" })),
  ];
}

/** Each booked window against the longest estimate of the whole plan, delays included. */
export function previewWindows(plan: Plan, batches: number): readonly PreviewWindow[] {
  const { minutes: perBatch } = maintenanceType(plan.type);
  const { total } = workAndTotal(batches, perBatch, plan.interBatchDelayMs);
  return plan.windows.map(({ startsAt, endsAt }) => {
    const minutes = (new Date(endsAt).getTime() - new Date(startsAt).getTime()) / 60_000;
    const booked = { startUtc: startsAt, endUtc: endsAt, minutes, fits: total.maxMinutes <= minutes };
    if (booked.fits) return booked;
    const fit = Math.min(batches, batchesWithin(minutes, perBatch, plan.interBatchDelayMs));
    const because = `The plan takes up to ${minutesText(total.maxMinutes)}, the window has ${minutesText(minutes)}: ${fit} of ${batches} batches surely fit.`;
    return { ...booked, because };
  });
}

/** Booked, and still not long enough even together. */
export function windowFinding(plan: Plan, batches: number): readonly PlanFinding[] {
  const windows = previewWindows(plan, batches);
  const { minutes: perBatch } = maintenanceType(plan.type);
  const fit = windows.reduce((sum, booked) => sum + batchesWithin(booked.minutes, perBatch, plan.interBatchDelayMs), 0);
  if (windows.length === 0 || fit >= batches) return [];
  const text = `In the booked windows ${fit} of ${batches} batches surely end, at ${perBatch.maxMinutes} min a batch: the rest needs another window.`;
  return [{ code: "window_too_short", text, acceptedBy: "approver" }];
}
