import { byName } from "@/lib/core/kernel/natural-order";
import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";

/** A class that loses its last canary takes its next waiting node, by batch and name; nobody waits: none is needed. */
export function newCanary(s: Snapshot, lost: Target, because: string): readonly Move[] {
  if (lost.role !== "canary") return [];
  const asMember: Move = { move: "role", targetId: lost.id, role: "member", because };
  if (s.targets.some((t) => t.id !== lost.id && t.classId === lost.classId && t.role === "canary")) return [asMember];
  const [next] = s.targets
    .filter((t) => t.id !== lost.id && t.classId === lost.classId && t.step === "waiting")
    .sort((a, b) => a.batch - b.batch || byName(a.name, b.name));
  return next === undefined
    ? []
    : [asMember, { move: "role", targetId: next.id, role: "canary", because: `${lost.name} is no longer the canary: ${because}` }];
}
