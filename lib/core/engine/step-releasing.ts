import { decisionsOf, newest } from "@/lib/core/change/decision-rules";
import type { Move } from "@/lib/core/change/move";
import type { NodeStep } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import { commandOf, drainReason, lastOf, openObligation, standing, type Look } from "./look";
import { endReservation } from "./reservation";
import { serviceAfter } from "./service-after";
import { ask, goTo, running, waitFor, type StepRuling } from "./step-ruling";

/** Where a target goes when it is back untouched; its `stage` while releasing is the index. A person's decision to leave it out counts first. */
export const RELEASE_TO = ["waiting", "skipped", "deferred"] as const satisfies readonly NodeStep[];

/** Nothing was changed on it: our drain is lifted, nobody else's, and it is read back in service before it leaves (R8.2). */
export function stepReleasing(look: Look, t: Target): StepRuling {
  const drain = lastOf(look, t, "drain");
  if (drain !== null && standing(drain, look) === "running") return running(t, drain, look);
  const reserved = endReservation(look, t, true);
  if (reserved !== null) return reserved;
  if (openObligation(look, t, "drain") === null) return leave(look, t, []);
  const release = commandOf(look, t, "release");
  if (release === null) {
    const request = { kind: "release" as const, node: t.name, reason: drainReason(look, t) };
    return { commands: [ask(look, t, request, { because: "returned untouched", deadlineMs: look.policy.commandMs })] };
  }
  const now = standing(release, look);
  if (now === "running") return running(t, release, look);
  const seen = serviceAfter(look, t, release.finishedAt);
  if (seen.is === "not_yet") return waitFor(t, seen.because);
  const { service } = seen;
  if (service.ours && (service.state === "drained" || service.state === "draining"))
    return goTo("unresolved", `its drain could not be lifted: ${release.outcome?.because ?? "no answer"}`);
  return leave(look, t, settleAll(look, t));
}

/** Everything of ours on this node that its return has ended. */
export const settleAll = (look: Look, t: Target): readonly Move[] =>
  look.s.obligations
    .filter((o) => o.targetId === t.id && (o.kind === "drain" || o.kind === "reservation"))
    .map((o) => ({ move: "settle", obligationId: o.id, because: "read back: the node is as it was before" }));

function leave(look: Look, t: Target, moves: readonly Move[]): StepRuling {
  const to = leftOutAs(look, t) ?? RELEASE_TO[t.stage] ?? "waiting";
  // Taken again it is a new pass: every command and check of this one is spent.
  const again = to === "waiting" ? { generation: t.generation + 1 } : {};
  return { ...goTo(to, `back untouched${t.because === null ? "" : `: ${t.because}`}`, again), moves };
}

/** What the newest decision to leave this node out said, in this pass; null: back to those that wait. */
function leftOutAs(look: Look, t: Target): "skipped" | "deferred" | null {
  const about = [t.id, t.name].flatMap((on) => [...decisionsOf(look.s, "leave_out", on), ...decisionsOf(look.s, "drain_deadline", on)]);
  const left = newest(about.filter((d) => !d.revoked && (d.facts["generation"] === undefined || d.facts["generation"] === t.generation)));
  if (left === null || left.choice === "wait") return null;
  return left.choice.startsWith("defer") ? "deferred" : "skipped";
}
