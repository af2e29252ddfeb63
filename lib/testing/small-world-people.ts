import { aSignOff } from "./a-decision";
import { MR } from "./a-person";
import { aReadingView } from "./a-report";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { World } from "./small-world";

/** When nothing moves by itself, the people of the small world go on: what stays out is released with an owner and a ticket, failed batches are decided, holds lifted. */
export function peopleGoOn(world: World): World {
  const { s } = world;
  const moving = s.targets.some((t) => STEP_TRAITS[t.step].holdsSlot && !STEP_TRAITS[t.step].settled);
  const surgery = s.targets.some((t) => STEP_TRAITS[t.step].goesOnWhenHeld && !STEP_TRAITS[t.step].settled);
  const stuck = s.targets.filter((t) => STEP_TRAITS[t.step].holdsSlot && STEP_TRAITS[t.step].settled);
  if (surgery || (moving && s.holds.length === 0)) return world;
  const gone = new Set(stuck.map((t) => t.id));
  const next: Snapshot = {
    ...s,
    targets: withCanary(s.targets.map((t) => (gone.has(t.id) ? { ...t, step: "released" as const, since: world.now, ticket: "INC1" } : t))),
    obligations: s.obligations.filter((o) => o.targetId === null || !gone.has(o.targetId)),
    batches: s.batches.map((b) => (b.state === "failed" ? { ...b, state: "decided" as const } : b)),
    findings: s.findings.filter((f) => !f.blocks),
    holds: s.change.state === "ROLLBACK" ? s.holds : [],
  };
  return { ...world, s: next };
}

/** A class whose canary was left out gets another one from those that wait. */
function withCanary(all: readonly Target[]): readonly Target[] {
  const targets = all.map((t) => (t.role === "canary" && t.step === "rolled_back" ? { ...t, role: "member" as const } : t));
  if (targets.some((t) => t.role === "canary" && (t.step === "waiting" || t.step === "accepted" || STEP_TRAITS[t.step].holdsSlot)))
    return targets;
  const next = targets.find((t) => t.step === "waiting");
  return targets.map((t) => (t.id === next?.id ? { ...t, role: "canary" as const } : t));
}

/** Everything is through: nobody waits, nobody is under way, nothing is held. */
export const isThrough = (s: Snapshot): boolean =>
  s.change.state === "IN_PROGRESS" &&
  s.holds.length === 0 &&
  s.targets.every((t) => STEP_TRAITS[t.step].settled && !STEP_TRAITS[t.step].holdsSlot);

/** An approver signs whatever record is frozen, and the second engineer reads it. */
export function peopleSign(world: World): World {
  const { s } = world;
  const open = s.reports.filter((r) => !s.decisions.some((d) => d.kind === "sign_off" && d.on.id === r.id));
  if (open.length === 0) return world;
  const signed = open.map((r) =>
    aSignOff({ id: `sign/${r.id}`, on: { what: "report", id: r.id }, fingerprint: r.fingerprint, at: world.now, byId: MR }),
  );
  const read = open.map((r) => aReadingView({ id: `read/${r.id}`, reportId: r.id, at: world.now }));
  return { ...world, s: { ...s, decisions: [...s.decisions, ...signed], readings: [...s.readings, ...read] } };
}
