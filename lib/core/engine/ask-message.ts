import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";

type Message = Extract<Move, { move: "message" }>;

/** One outbox row; its key names the event, so that a look that is repeated makes the same one (R12.5). */
export const message = (s: Snapshot, urgency: Message["urgency"], about: string, title: string, text: string): Message => ({
  move: "message",
  urgency,
  key: `${s.change.id}/${about}`,
  title: `${s.change.title}: ${title}`,
  text,
});
