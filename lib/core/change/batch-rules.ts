import type { Batch } from "./batch";
import type { Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

/** The targets of one batch, in the record's order. Indexed once per list of targets: 256 batches of four are asked for again and again. */
export function membersOf(s: Snapshot, batch: number): readonly Target[] {
  let index = MEMBERS.get(s.targets);
  if (index === undefined) {
    index = new Map();
    for (const t of s.targets) {
      const list = index.get(t.batch);
      if (list === undefined) index.set(t.batch, [t]);
      else list.push(t);
    }
    MEMBERS.set(s.targets, index);
  }
  return index.get(batch) ?? [];
}
const MEMBERS = new WeakMap<readonly Target[], Map<number, Target[]>>();

/** Somebody has to decide before another batch starts: a failed batch, or a member nobody knows or has settled (R8.4, R2.6). */
export function isUndecided(s: Snapshot, batch: Batch): boolean {
  if (batch.state === "withdrawn") return false;
  if (batch.state === "failed") return true;
  return membersOf(s, batch.number).some(
    (t) => t.step === "unresolved" || (batch.state !== "decided" && (t.step === "failed" || t.step === "rollback_failed")),
  );
}

/** Nothing of it is waiting or under way. */
export const isOver = (s: Snapshot, batch: Batch): boolean => membersOf(s, batch.number).every((t) => STEP_TRAITS[t.step].settled);

/** Order in which batches may start: as numbered, extra batches right behind the one they belong to, unless a narrowing reorders what waits (R4.2, R6.3). */
export function batchesInOrder(s: Snapshot): readonly Batch[] {
  const order = s.narrowing.order ?? [];
  const place = (b: Batch): number => {
    const moved = order.indexOf(b.number);
    return moved < 0 ? b.number : ([...order].sort((x, y) => x - y)[moved] ?? b.number);
  };
  const root = (b: Batch): Batch => {
    const parent = b.extraOf === null ? undefined : s.batches.find((other) => other.number === b.extraOf);
    return parent === undefined || parent.number >= b.number ? b : root(parent);
  };
  return [...s.batches].sort((a, b) => place(root(a)) - place(root(b)) || a.number - b.number);
}

/** The first batch that still has somebody waiting. */
export const nextBatch = (s: Snapshot): Batch | null =>
  batchesInOrder(s).find((b) => b.state !== "withdrawn" && membersOf(s, b.number).some((t) => t.step === "waiting")) ?? null;
