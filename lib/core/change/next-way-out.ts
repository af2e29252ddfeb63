import type { ClassId } from "@/lib/core/kernel/ids";
import type { ActionState } from "./action-state";
import type { Action } from "./actions";
import { capacity } from "./capacity";
import { classesInPlay, newestReport } from "./class-in-play";
import { nodesOut } from "./close-rules";
import { newest, decisionsOf } from "./decision-rules";
import type { Policy } from "./policy";
import { nodesPerLeaf } from "./relaxation";
import { classReasons } from "./sign-off-rules";
import type { Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

type Open = (action: Action, on: string) => ActionState | null;

/**
 * Nodes of this change that stay out keep their place and their leaf until they are back or handed over (R6.1, R5.2): what was asked for waits for that.
 * null: room is there, or others have it.
 */
export function wayOutOfFull(s: Snapshot, now: Date, action: "start-canary" | "start-batch", open: Open): ActionState | null {
  const out = nodesOut(s);
  const asked = s.targets.filter((t) => t.step === "waiting" && (action === "start-canary") === (t.role === "canary"));
  if (out.length === 0 || asked.length === 0) return null;
  const smallest = asked.reduce((a, b) => (b.gpus < a.gpus ? b : a));
  const full = capacity(s.limits, s.targets, s.others, s.totalGpus).freeGpus < smallest.gpus;
  const most = nodesPerLeaf(s, now);
  const beside = (t: Target): readonly Target[] =>
    t.leaves.flatMap((leaf) => {
      const there = out.filter((o) => o.leaves.includes(leaf));
      return there.length >= most ? there : [];
    });
  const crowded = action === "start-canary" && s.plan.leafRule.apply && asked.every((t) => beside(t).length > 0);
  const inTheWay = full ? out : crowded ? asked.flatMap(beside) : [];
  return inTheWay.map((t) => open("roll-back-node", t.name) ?? open("release-node", t.name)).find((state) => state !== null) ?? null;
}

/**
 * What a person does about a class that cannot go on by itself, because its canary was left out, went back, stayed out or was rejected: the first that
 * is permitted (R5.4, R7.4). Bring the canary through again, name another one, or leave out what waits for it. null: no class stands like that.
 */
export function wayOutOfCanary(s: Snapshot, policy: Policy, now: Date, open: Open): ActionState | null {
  for (const classId of classesInPlay(s)) {
    if (classReasons(s, classId, policy, now).length === 0) continue;
    const own = s.targets.filter((t) => t.classId === classId);
    const found = lostCanary(own, open) ?? rejected(s, classId, open) ?? unreported(s, classId, own, open) ?? waiting(own, open);
    if (found !== null) return found;
  }
  return null;
}

/** A canary that is settled and not accepted. One that somebody else holds is replaced; one that is free again, or went back, is tried again. */
function lostCanary(own: readonly Target[], open: Open): ActionState | null {
  const canaries = own.filter((t) => t.role === "canary" && STEP_TRAITS[t.step].settled && t.step !== "accepted");
  for (const t of canaries) {
    const free = t.service.is === "value" && t.service.value.state === "in_service";
    const replace = open("defer-node", t.name) ?? open("withdraw-node", t.name);
    const again = open("retry-node", t.name);
    const found =
      t.step === "failed" || t.step === "unresolved"
        ? (open("roll-back-node", t.name) ?? open("release-node", t.name))
        : STEP_TRAITS[t.step].touched || free
          ? (again ?? replace)
          : (replace ?? again);
    if (found !== null) return found;
  }
  return null;
}

/** Rejected, and nothing of it could go back: only taking the rejection back opens the record again. */
function rejected(s: Snapshot, classId: ClassId, open: Open): ActionState | null {
  const report = newestReport(s, classId);
  const rejection = report === null ? null : newest(decisionsOf(s, "rejection", report.id).filter((d) => !d.revoked));
  return rejection === null ? null : open("revoke", rejection.id);
}

/** Accepted, but there is no record of it to sign: it goes back and through again. */
function unreported(s: Snapshot, classId: ClassId, own: readonly Target[], open: Open): ActionState | null {
  if (newestReport(s, classId) !== null) return null;
  const canary = own.find((t) => t.role === "canary" && t.step === "accepted");
  return canary === undefined ? null : open("roll-back-node", canary.name);
}

/** Nobody of the class can be its canary by role any more: whoever waits is left for later, or takes part again under an edited plan. */
function waiting(own: readonly Target[], open: Open): ActionState | null {
  if (own.some((t) => t.role === "canary" && !STEP_TRAITS[t.step].settled)) return null;
  const [first] = own.filter((t) => t.step === "waiting");
  return first === undefined ? null : open("defer-node", first.name);
}
