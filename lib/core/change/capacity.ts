import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

/** Powered down by the scheduler, or absent at the provider: not in this list, counts nowhere. */
export type OutNode = {
  readonly name: string;
  readonly gpus: number;
  readonly because: "down" | "drained_by_other" | "other_change" | "lent" | "arrival" | "released";
};
export type Limits = {
  /** GPUs of the largest planned batch */ readonly ownGpus: number;
  /** nodes of the whole cluster, for any reason */ readonly totalNodes: number;
};
type Capacity = {
  readonly limits: Limits;
  readonly ours: { readonly nodes: number; readonly gpus: number; readonly names: readonly string[] };
  readonly others: readonly OutNode[];
  readonly freeGpus: number;
  readonly freeNodes: number;
  readonly pctOut: number;
};
/** maxUnavailable: what the plan or a relaxation says; left out: the larger of 10 % (rounded down) and the largest batch + 1. */
export const limitsOf = (
  planned: readonly { readonly nodes: number; readonly gpus: number }[],
  clusterNodes: number,
  maxUnavailable: number | null,
): Limits => ({
  ownGpus: Math.max(0, ...planned.map((b) => b.gpus)),
  totalNodes: maxUnavailable ?? Math.max(Math.floor(clusterNodes / 10), Math.max(0, ...planned.map((b) => b.nodes)) + 1),
});
/** others: every node of the cluster that is out and not one of our targets with a place; lent partners count as ours. */
export function capacity(limits: Limits, targets: readonly Target[], others: readonly OutNode[], totalGpus: number): Capacity {
  const ours = targets.filter((t) => STEP_TRAITS[t.step].holdsSlot),
    lent = others.filter((o) => o.because === "lent"),
    all = [...ours, ...lent];
  const gpus = all.reduce((sum, t) => sum + t.gpus, 0),
    names = all.map((t) => t.name);
  return {
    limits,
    ours: { nodes: all.length, gpus, names },
    others,
    freeGpus: Math.max(0, limits.ownGpus - gpus),
    freeNodes: Math.max(0, limits.totalNodes - ours.length - others.length),
    pctOut: totalGpus === 0 ? 0 : (100 * gpus) / totalGpus,
  };
}
/** As many as fit, in the given order. The rest goes to an extra batch; none: wait and name who takes the room. */
export function thatFit<T extends { readonly gpus: number }>(wanted: readonly T[], c: Capacity): readonly T[] {
  let gpus = c.freeGpus,
    nodes = c.freeNodes;
  const fit: T[] = [];
  for (const t of wanted) {
    if (nodes < 1 || t.gpus > gpus) break;
    fit.push(t);
    gpus -= t.gpus;
    nodes -= 1;
  }
  return fit;
}
