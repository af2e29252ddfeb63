import type { Reason } from "@/lib/core/change/reason";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { bindsToWindows, windowReasons } from "@/lib/core/change/start-conditions";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { Look } from "./look";

/** Why nothing may begin anywhere in this change: holds, and a rollback that is under way. */
export const closedByHold = (s: Snapshot): readonly Reason[] => [
  ...s.holds.map((h): Reason => ({ code: "held", kind: h.kind, ownerId: h.ownerId, because: h.because })),
  ...(s.change.state === "ROLLBACK" && s.holds.length === 0
    ? [{ code: "state" as const, state: s.change.state, because: "nodes are going back to the old version" }]
    : []),
];

/**
 * What stands between a drained, empty node and its update: holds, a window that ends too soon (R11.2), and the first node of its scale set, which
 * is read back before the others begin (R3.1). Empty: it may begin.
 */
export function mayBeginUpdate(look: Look, t: Target): readonly Reason[] {
  const held = closedByHold(look.s);
  if (held.length > 0) return held;
  return [...(bindsToWindows(look.s) ? windowReasons(look.s, look.now) : []), ...firstOfScaleSet(look.s, t)];
}

function firstOfScaleSet(s: Snapshot, t: Target): readonly Reason[] {
  if (t.scaleSet === null || s.readBack.includes(t.scaleSet)) return [];
  const first = s.targets.find((o) => o.id !== t.id && o.scaleSet === t.scaleSet && o.updateBegan && STEP_TRAITS[o.step].holdsSlot);
  return first === undefined ? [] : [{ code: "first_of_scale_set", scaleSet: String(t.scaleSet), first: first.name }];
}
