import type { Expectation } from "@/lib/core/check/expectation";
import { limitOf, parseLimit, sayLimit, type Limit } from "@/lib/core/check/limit";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { Plan } from "@/lib/core/plan/plan";

/** R4.2: laid over the plan by a decision; the plan, its fingerprint and everything signed stay. */
export type Narrowing = {
  readonly batchSize?: number;
  readonly interBatchMs?: number;
  /** check: a check of `validate`; limit: one of its metrics, as in "busbw > 96%". */
  readonly limits?: readonly { readonly check: string; readonly limit: string }[];
  /** Numbers of waiting batches in the order they shall start. */
  readonly order?: readonly number[];
};
type Widens = { readonly what: string };

/** The plan as it is followed: with what people have narrowed since. */
export function planInForce(plan: Plan, narrowing: Narrowing): Plan {
  const stricter = (name: string, baseline: Plan["validate"][number]["baseline"]): Plan["validate"][number]["baseline"] => {
    const parsed = (narrowing.limits ?? []).filter((l) => l.check === name).map((l) => parseLimit(l.limit));
    const limits = parsed.flatMap((p) => (p.ok ? [[p.value.name, p.value.expectation] as const] : []));
    return limits.length === 0 ? baseline : { ...baseline, ...Object.fromEntries(limits) };
  };
  return {
    ...plan,
    batchSize: narrowing.batchSize ?? plan.batchSize,
    interBatchDelayMs: narrowing.interBatchMs ?? plan.interBatchDelayMs,
    validate: plan.validate.map((v) => ({ ...v, baseline: stricter(v.name, v.baseline) })),
  };
}

/** Whether a change only makes the plan as followed smaller, slower or stricter, and at least one of it; else what it would widen. */
export function isNarrower(inForce: Plan, now: Narrowing, waitingBatches: readonly number[]): Result<Narrowing, Widens> {
  if (now.batchSize === undefined && now.interBatchMs === undefined && !now.limits?.length && !now.order?.length)
    return err({ what: "nothing is narrowed" });
  if (now.batchSize !== undefined && now.batchSize > inForce.batchSize)
    return err({ what: `batches of ${now.batchSize} instead of ${inForce.batchSize}` });
  if (now.interBatchMs !== undefined && now.interBatchMs < inForce.interBatchDelayMs)
    return err({ what: `${now.interBatchMs / 60_000} min between batches instead of ${inForce.interBatchDelayMs / 60_000}` });
  for (const limit of now.limits ?? []) {
    const looser = loosens(inForce, limit);
    if (looser !== null) return err({ what: looser });
  }
  const order = now.order ?? [];
  const strange = order.find((n, i) => !waitingBatches.includes(n) || order.indexOf(n) !== i);
  return strange === undefined ? ok(now) : err({ what: `batch ${strange} is not waiting, or is named twice` });
}

/** Why a limit is not a stricter form of one that stands; null: it is (S3). */
function loosens(plan: Plan, { check, limit }: { readonly check: string; readonly limit: string }): string | null {
  const parsed = parseLimit(limit);
  if (!parsed.ok) return parsed.error;
  const found = plan.validate.find((v) => v.name === check);
  if (found === undefined) return `the plan has no check "${check}"`;
  const stands: Expectation | undefined = found.baseline?.[parsed.value.name];
  const was = stands === undefined ? null : limitOf(stands);
  const now = limitOf(parsed.value.expectation);
  if (was === null || now === null) return `check "${check}" has no limit for "${parsed.value.name}"`;
  return isStricter(was, now) ? null : `"${check}" ${parsed.value.name} ${sayLimit(now)} instead of ${sayLimit(was)}`;
}

/** Same direction, same kind of bound, and at least as hard to meet; on the same number a strict comparison is the harder one. */
export function isStricter(was: Limit, now: Limit): boolean {
  const floor = (l: Limit): boolean => l.word === "above" || l.word === "atLeast";
  if (floor(was) !== floor(now) || "value" in was.bound !== "value" in now.bound) return false;
  const size = (l: Limit): number => ("value" in l.bound ? l.bound.value : l.bound.percentOfBaseline);
  const isStrict = now.word === "above" || now.word === "below" || now.word === was.word;
  if (size(now) === size(was)) return isStrict;
  return floor(was) ? size(now) > size(was) : size(now) < size(was);
}
