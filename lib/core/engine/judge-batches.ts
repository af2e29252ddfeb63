import { batchesInOrder, isOver, membersOf } from "@/lib/core/change/batch-rules";
import type { Batch } from "@/lib/core/change/batch";
import type { Move } from "@/lib/core/change/move";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import { message } from "./ask-message";
import { plus, type Look } from "./look";
import { countBatch, fateInFailedBatch, onFailure, type OnFailure } from "./rollback-policy";
import { targetMove } from "./step-ruling";
import { canRollBack, rollBack } from "./step-rolling-back";

/**
 * A batch fails when a node failed after its update began (R8.1). By itself for the first three: nodes not begun return untouched, failed ones go
 * back, the others finish and are judged. At the fourth nothing goes back by itself. Either way the change is held until somebody decides (R8.4).
 * More failures in a batch that has failed are the same failed batch and are not counted again.
 */
export function failBatches(look: Look): readonly Move[] {
  const { s } = look;
  const moves: Move[] = [];
  let { rollback } = s;
  let goesBack = false;
  for (const batch of s.batches) {
    const members = membersOf(s, batch.number);
    if (!members.some(hasFailed)) continue;
    const first = batch.state === "waiting" || batch.state === "running";
    const then: OnFailure = first ? onFailure(rollback) : isStopped(look, batch) ? "stop_and_page" : "roll_back_failed_nodes";
    if (first) {
      rollback = countBatch(rollback, "failed", look.now);
      moves.push(...announce(look, batch, members, then), { move: "count", rollback, because: `batch ${batch.number} failed` });
    }
    const fates = members.flatMap((t) => fateMoves(look, t, then, first));
    goesBack ||= fates.some((m) => m.move === "target" && m.to === "rolling_back");
    moves.push(...fates);
  }
  if (goesBack && s.change.state === "IN_PROGRESS")
    moves.push({ move: "change", to: "ROLLBACK", outcome: null, because: "failed nodes go back to the old version" });
  return moves;
}

/** Failed on the way to the goal, after its update began. A validate-only node that fails is held and fails no batch. */
const hasFailed = (t: Target): boolean => t.step === "failed" && t.updateBegan && t.aim === "goal";

/** Its failure was the fourth, or later: nothing of it goes back without a person. */
const isStopped = (look: Look, batch: Batch): boolean =>
  look.s.holds.some((h) => h.kind === "fourth_failure" && (h.batch === batch.number || h.batch === null)) ||
  (batch.state === "decided" && look.s.rollback.failedBatches > 3);

function announce(look: Look, batch: Batch, members: readonly Target[], then: OnFailure): readonly Move[] {
  const { s } = look;
  const failed = members.filter(hasFailed);
  const because = `batch ${batch.number} failed: ${failed.map((t) => `${t.name}, ${t.because ?? "no reason kept"}`).join("; ")}`;
  const ownerId = s.change.people.decisionOwner ?? s.change.ownerId;
  const fourth = then === "stop_and_page";
  const next = fourth
    ? "It is the fourth failed batch: nothing goes back by itself. Decide."
    : "Failed nodes go back by themselves. Decide what then.";
  return [
    { move: "batch", number: batch.number, to: "failed", notBefore: batch.notBefore, because },
    { move: "hold", kind: fourth ? "fourth_failure" : "failed_batch", batch: batch.number, targetId: null, ownerId, because },
    message(s, "page", `batch/${batch.number}/failed`, `batch ${batch.number} failed`, `${because}. ${next}`),
    message(s, "message", `batch/${batch.number}/failed/message`, `batch ${batch.number} failed`, `${because}. ${next}`),
  ];
}

function fateMoves(look: Look, t: Target, then: OnFailure, first: boolean): readonly Move[] {
  switch (fateInFailedBatch(t, then)) {
    case "rolls_back":
    case "nothing_to_send":
      return goBack(look, t);
    case "returns_untouched":
      return first ? [targetMove(t, { step: "releasing", because: "its batch failed before its own update began" }, look.now)] : [];
    case "stays":
    case "goes_on":
      return [];
  }
}

/** To the old version, or to "rollback failed" when nothing of it may be sent (R8.3). */
function goBack(look: Look, t: Target): readonly Move[] {
  if (canRollBack(look, t)) return [targetMove(t, rollBack(t, t.because ?? "failed"), look.now)];
  const because =
    t.rollback.length === 0 ? "the plan names nothing that could go back" : t.rollback.map((c) => `${c.name} ${c.capability}`).join(", ");
  return [targetMove(t, { step: "rollback_failed", because: `${because}: nothing was sent` }, look.now)];
}

/** Batches that came through: counted when it was the last part and at least one node was accepted; three in a row commit the target for good (R8.4). */
export function succeedBatches(look: Look): readonly Move[] {
  const { s } = look;
  const moves: Move[] = [];
  let { rollback } = s;
  for (const batch of s.batches) {
    if ((batch.state !== "running" && batch.state !== "waiting") || !isOver(s, batch)) continue;
    const members = membersOf(s, batch.number);
    if (members.length === 0 || members.some(isOpen)) continue;
    const accepted = members.filter((t) => t.step === "accepted").length;
    if (members.some((t) => t.step === "rolled_back" || t.step === "released")) {
      moves.push({
        move: "batch",
        number: batch.number,
        to: "decided",
        notBefore: batch.notBefore,
        because: "its open nodes were decided one by one",
      });
      continue;
    }
    const because = `${accepted} of ${members.length} nodes of batch ${batch.number} accepted`;
    moves.push({ move: "batch", number: batch.number, to: "succeeded", notBefore: batch.notBefore, because });
    moves.push(message(s, "message", `batch/${batch.number}/succeeded`, `batch ${batch.number} done`, `${because}.`));
    if (accepted === 0 || s.batches.some((b) => b.extraOf === batch.number)) continue;
    const counted = countBatch(rollback, "succeeded", look.now);
    if (counted.committedAt !== null && rollback.committedAt === null)
      moves.push(
        message(
          s,
          "message",
          "committed",
          "committed",
          "Three batches in a row came through: rolling everything back is closed from now on.",
        ),
      );
    rollback = counted;
    moves.push({ move: "count", rollback, because });
  }
  return moves.some((m) => m.move === "batch") ? [...moves, ...delayNext(look, moves)] : moves;
}

/** Somebody has to act on it before its batch can be called through. */
const isOpen = (t: Target): boolean => STEP_TRAITS[t.step].holdsSlot;

/** The delay runs from the last node's outcome to the next start: of the first waiting batch of each combination of classes, one of which is next. */
function delayNext(look: Look, done: readonly Move[]): readonly Move[] {
  const delayMs = Math.max(look.s.plan.interBatchDelayMs, look.s.narrowing.interBatchMs ?? 0);
  if (delayMs === 0) return [];
  const finished = new Set(done.flatMap((m) => (m.move === "batch" ? [m.number] : [])));
  const seen = new Set<string>();
  const notBefore = plus(look.now, delayMs);
  return batchesInOrder(look.s).flatMap((b): readonly Move[] => {
    if (b.state !== "waiting" || finished.has(b.number)) return [];
    const classes = [...new Set(membersOf(look.s, b.number).map((t) => t.classId))].sort((x, y) => x - y).join(",");
    if (seen.has(classes)) return [];
    seen.add(classes);
    return [{ move: "batch", number: b.number, to: "waiting", notBefore, because: `${delayMs / 60_000} min between batches` }];
  });
}

/** Nothing goes back any more: the change is in progress again, with its hold (R7.2). */
export function endRollback(look: Look): readonly Move[] {
  const { s } = look;
  if (s.change.state !== "ROLLBACK") return [];
  const going = s.targets.some((t) => t.aim === "prior" && STEP_TRAITS[t.step].holdsSlot && !STEP_TRAITS[t.step].settled);
  return going ? [] : [{ move: "change", to: "IN_PROGRESS", outcome: null, because: "nothing is going back any more" }];
}
