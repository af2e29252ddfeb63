import type { Move } from "@/lib/core/change/move";
import { bindsToWindows, nextOpening, openWindow } from "@/lib/core/change/start-conditions";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Look } from "./look";

/** Outside its windows a running change is held until the next one opens (R11.2). Running steps finish; nothing new begins. */
export function holdWindow(look: Look): readonly Move[] {
  const { s, now } = look;
  const held = s.holds.some((h) => h.kind === "window_closed");
  if (!bindsToWindows(s) || (s.change.state !== "IN_PROGRESS" && s.change.state !== "ROLLBACK")) return [];
  const begins = s.targets.some((t) => !STEP_TRAITS[t.step].settled && !STEP_TRAITS[t.step].goesOnWhenHeld);
  const closed = begins && openWindow(s, now) === null;
  if (closed === held) return [];
  if (!closed) return [{ move: "lift", kind: "window_closed", because: begins ? "a booked window is open" : "nothing is left to begin" }];
  const opens = nextOpening(s, now);
  const because = opens === null ? "the window is over and no other is booked" : `the next booked window opens at ${opens.toISOString()}`;
  return [{ move: "hold", kind: "window_closed", batch: null, targetId: null, ownerId: s.change.ownerId, because }];
}
