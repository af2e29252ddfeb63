import { membersOf } from "@/lib/core/change/batch-rules";
import { stopDecided } from "@/lib/core/change/decision-rules";
import { HOLD_TRAITS } from "@/lib/core/change/hold";
import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { newCanary } from "./new-canary";
import { startsAgain } from "./going-back";
import { closed, decided, done, refuse, type Effect } from "./effect";

const PERMITS = {
  retry: "the nodes of this batch are tried again",
  go_on: "the rollout goes on without the nodes that failed",
  roll_back_all: "every node goes back to the old version",
  stop: "nothing more starts; the change is closed as it stands",
} as const;

/** R8.4: what becomes of a failed batch, or of a rejected canary, and until commitment also of the nodes before it. The worker sends back what the decision sends back. */
export const decide: Effect<"decide"> = (e) => {
  const { s, request } = e;
  const number = Number(request.on);
  const batch = s.batches.find((b) => b.number === number);
  const holds = s.holds.filter((h) => HOLD_TRAITS[h.kind].liftedBy === "decide" && (h.batch === number || h.batch === null));
  if (batch === undefined) return refuse("not_found", `there is no batch ${request.on}`, "look at the batches again");
  const { committedAt } = s.rollback;
  const rejected = holds.some((h) => h.kind === "canary_rejected") && batch.state !== "failed";
  if (stopDecided(s, e.now) !== null) return closed({ code: "settled", what: "the rollout was stopped" });
  if (request.choice === "roll_back_all" && committedAt !== null) return closed({ code: "committed", since: committedAt });
  if (request.earlier === "roll_back" && committedAt !== null) return closed({ code: "committed", since: committedAt });
  if ((request.choice === "retry" || request.choice === "go_on") && s.change.state === "ROLLBACK")
    return closed({ code: "state", state: "ROLLBACK", because: "nodes are still going back; wait until they are" });
  if (rejected && request.choice === "go_on")
    return closed({
      code: "not_yet",
      what: "without an accepted canary its class cannot go on",
      next: "retry, roll everything back or stop",
    });
  const asksEarlier = committedAt === null && request.choice !== "roll_back_all" && earlierNodes(s, number).length > 0;
  if (asksEarlier && request.earlier === undefined)
    return refuse(
      "invalid",
      `${earlierNodes(s, number).length} earlier nodes were accepted and nothing was said about them`,
      "say earlier: keep or roll_back",
    );
  const earlier = request.choice === "roll_back_all" ? "roll_back" : (request.earlier ?? "keep");
  const decision = decided(e, {
    kind: "failed_batch",
    on: { what: "batch", id: String(number) },
    choice: request.choice,
    permits: PERMITS[request.choice],
    reason: request.reason,
    facts: { earlier },
  });
  const released = holds.map((h): Move => ({ move: "release_hold", holdId: h.id, byId: e.actor, reason: request.reason }));
  const batchMove: readonly Move[] =
    batch.state === "failed"
      ? [{ move: "batch", number, to: "decided", notBefore: null, because: `${request.choice}: ${request.reason}` }]
      : [];
  const goesOn = request.choice === "retry" || request.choice === "go_on" ? nextTry(s, number, request.choice, rejected) : [];
  return done([decision, ...batchMove, ...goesOn, ...released], request.reason, {
    facts: { batch: number, choice: request.choice, earlier },
  });
};

const earlierNodes = (s: Snapshot, number: number): readonly Target[] =>
  s.targets.filter((t) => t.step === "accepted" && t.batch !== number);

/** Whoever is tried (again) gets a batch of their own behind the others; a rejected canary keeps its place, its batch has not begun. */
function nextTry(s: Snapshot, number: number, choice: "retry" | "go_on", rejected: boolean): readonly Move[] {
  const members = membersOf(s, number);
  const back = choice === "retry" ? members.filter((t) => t.step === "rolled_back" || (rejected && t.step === "rollback_failed")) : [];
  const again = back.map((t) => startsAgain(t, "tried again by decision"));
  if (rejected) return again;
  const waiting = members.filter((t) => t.step === "waiting");
  const canaries = choice === "go_on" ? members.filter((t) => t.role === "canary" && t.step !== "accepted" && t.step !== "waiting") : [];
  const replaced = canaries.flatMap((t) => newCanary(s, t, "the canary before it failed"));
  const targets = [...waiting, ...back].map((t) => t.id);
  if (targets.length === 0) return [...again, ...replaced];
  const next = 1 + Math.max(0, ...s.batches.map((b) => b.number));
  return [...again, ...replaced, { move: "retry_batch", number: next, targets, because: `what is left of batch ${number}` }];
}
