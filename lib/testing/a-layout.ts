import type { PlanLayout } from "@/lib/core/planner/layout";

export const A_CLASS = "h100-8/cx7-8/ubuntu22";
export const nodeName = (n: number): string => `gpu${String(n).padStart(3, "0")}`;

/** Twelve nodes on four leaves of three; batch 1 is gpu001-004 with the canary gpu001. */
export const aLayout = (overrides: Partial<PlanLayout> = {}): PlanLayout => ({
  batches: [1, 2, 3].map((index) => ({
    index,
    nodes: [1, 2, 3, 4].map((leaf) => ({
      name: nodeName((index - 1) * 4 + leaf),
      canary: index === 1 && leaf === 1,
      mode: "update" as const,
      class: A_CLASS,
      leaves: [`leaf0${leaf}`],
      gpus: 8,
      rollback: "tested" as const,
    })),
  })),
  notPlanned: [],
  batchSize: { asked: 4, used: 4, because: null },
  lowerBound: 3,
  findings: [],
  conflicts: [],
  ...overrides,
});
