import type { CommandView } from "@/lib/core/change/command";
import type { Obligation } from "@/lib/core/change/obligation";
import type { Target } from "@/lib/core/change/target";
import { drainReason, lastOf, commandsOf, openObligation, standing, type Look } from "./look";
import { ask, running, type StepRuling } from "./step-ruling";

/** The name under which the reservation of this pass is found in the scheduler. */
const reservationName = (look: Look, t: Target): string => `clearance-${look.s.change.id}-${t.name}-${t.generation}`;

/** Asks for the MAINT reservation inside which the node is resumed (R3.6), owed before it is sent. */
export function askReservation(look: Look, t: Target): StepRuling {
  const name = reservationName(look, t);
  const request = {
    kind: "reserve" as const,
    name,
    nodes: [t.name],
    durationMs: look.policy.reservationMs,
    resume: true,
    reason: drainReason(look, t),
  };
  const nth = commandsOf(look, t, "reserve").length + 1;
  const command = ask(look, t, request, { because: "acceptance runs inside a reservation", deadlineMs: look.policy.commandMs, nth });
  return {
    commands: [command],
    moves: [
      {
        move: "obligation",
        id: `${look.s.change.id}/${t.id}/reservation/${t.generation}.${nth}`,
        kind: "reservation",
        targetId: t.id,
        subjectId: t.subjectId,
        name,
        prior: null,
        madeBy: command.key,
        endsAt: new Date(look.now.getTime() + look.policy.reservationMs),
      },
    ],
  };
}

/** A reservation of ours on this node that nobody asked to end yet: its last `reserve` of this pass, or what an earlier pass left. */
export function standingReservation(look: Look, t: Target): Obligation | null {
  const owed = openObligation(look, t, "reservation");
  if (owed === null) return null;
  const made = Math.max(1, named(look, t, "reserve", owed.name).length);
  return named(look, t, "unreserve", owed.name).length < made ? owed : null;
}

/**
 * Ends the reservation. drainFirst: not accepted, so our drain is set again before it goes, without a moment for other work (R3.6). null: there is
 * none, or it would not go and stays owed (R12.4).
 */
export function endReservation(look: Look, t: Target, drainFirst: boolean): StepRuling | null {
  const owed = openObligation(look, t, "reservation");
  if (owed === null) return null;
  const reserve = lastOf(look, t, "reserve");
  if (reserve !== null && standing(reserve, look) === "running") return running(t, reserve, look);
  if (standingReservation(look, t) !== null) {
    const request = { kind: "unreserve" as const, name: owed.name, nodes: [t.name], drainFirst, reason: drainReason(look, t) };
    const nth = commandsOf(look, t, "unreserve").length + 1;
    const because = drainFirst ? "not accepted: drained again, then the reservation goes" : "accepted: the reservation goes";
    return { commands: [ask(look, t, request, { because, deadlineMs: look.policy.commandMs, nth })] };
  }
  const last = named(look, t, "unreserve", owed.name).at(-1);
  if (last === undefined) return null;
  const now = standing(last, look);
  if (now === "running") return running(t, last, look);
  if (now !== "done") return null;
  return { moves: [{ move: "settle", obligationId: owed.id, because: "the reservation is gone, read back" }] };
}

const named = (look: Look, t: Target, kind: "reserve" | "unreserve", name: string): readonly CommandView[] =>
  commandsOf(look, t, kind).filter((c) => "name" in c.request && c.request.name === name);
