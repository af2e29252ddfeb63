import { batchesInOrder, isUndecided } from "./batch-rules";
import { isLeftOut } from "./class-in-play";
import { decisionsOf, stopDecided } from "./decision-rules";
import { findingReason } from "./approval";
import { HOLD_TRAITS } from "./hold";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { Snapshot } from "./snapshot";
import { isInHand, STEP_TRAITS } from "./step";
import type { Target } from "./target";

/**
 * What keeps a change open besides the gates before `close`: work under way, holds, blocking findings, undecided batches and obligations (R7.3, R12.4).
 * Nodes that are out are no reason: `close` asks an owner and a ticket for each and hands its drain over.
 */
export function closeReasons(s: Snapshot, _policy: Policy, _now: Date): readonly Reason[] {
  const moving = s.targets.filter((t) => isInHand(t.step)).map((t) => t.name);
  const out = new Set(nodesOut(s).map((t) => t.id));
  return [
    ...(moving.length > 0
      ? [
          {
            code: "not_yet" as const,
            what: `${moving.join(", ")} ${moving.length === 1 ? "is" : "are"} under way`,
            next: "wait until nothing is",
          },
        ]
      : []),
    ...s.holds
      .filter((h) => HOLD_TRAITS[h.kind].liftedBy !== "rule")
      .map((h) => ({ code: "held" as const, kind: h.kind, ownerId: h.ownerId, because: h.because })),
    ...batchesInOrder(s)
      .filter((b) => b.state === "failed")
      .map((b) => ({ code: "batch_undecided" as const, batch: b.number })),
    ...s.findings.filter((f) => f.blocks && f.closedAt === null).map(findingReason),
    ...s.obligations
      .filter((o) => o.kind !== "relaxed_limit" && !(o.kind === "drain" && o.targetId !== null && out.has(o.targetId)))
      .map((o) => ({ code: "obligation" as const, kind: o.kind, on: o.on })),
  ];
}

/** Out of service because of this change and settled: needs an owner and a ticket at the end. */
export const nodesOut = (s: Snapshot): readonly Target[] =>
  s.targets.filter((t) => STEP_TRAITS[t.step].holdsSlot && STEP_TRAITS[t.step].settled);

/** Exceptions nobody has decided on yet; `close` records its reason as the decision on each (R7.3). */
export const undecidedExceptions = (s: Snapshot): readonly Target[] =>
  s.targets.filter(
    (t) => isLeftOut(t) && decisionsOf(s, "leave_out", t.id).length === 0 && decisionsOf(s, "drain_deadline", t.id).length === 0,
  );

/** A stop ends the rollout without its last gates; only what the accepted nodes need stays asked for (R8.4). */
export const endsEarly = (s: Snapshot, now: Date): boolean =>
  stopDecided(s, now) !== null && !batchesInOrder(s).some((b) => b.state === "failed" && isUndecided(s, b));
