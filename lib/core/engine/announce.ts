import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { message } from "./ask-message";

/** What people are told of this look besides failed batches, which tell it themselves: a page for what cannot wait, else a message (R12.5). */
export function announce(s: Snapshot, moves: readonly Move[]): readonly Move[] {
  return moves.flatMap((m): readonly Move[] => {
    if (m.move === "report")
      return [
        message(
          s,
          "message",
          `report/${m.report.classId}/${m.report.number}`,
          `canary record of ${m.report.canary} is ready`,
          "It waits for a reviewer.",
        ),
      ];
    if (m.move === "change") return ofChange(s, m);
    return m.move === "target" ? ofTarget(s, m) : [];
  });
}

function ofTarget(s: Snapshot, m: Extract<Move, { move: "target" }>): readonly Move[] {
  const name = s.targets.find((t) => t.id === m.id)?.name ?? m.id;
  const about = `target/${name}/${m.to}/${m.generation}`;
  if (m.to === "rollback_failed")
    return [message(s, "page", about, `${name} did not go back`, `${m.because}. It stays drained and needs an owner.`)];
  if (m.to === "unresolved")
    return [message(s, "message", about, `${name} is unresolved`, `${m.because}. It stays held until somebody decides.`)];
  if (m.to === "withheld") return [message(s, "message", about, `${name} is withheld`, `${m.because}.`)];
  return [];
}

/** Rollback begins and ends with its failed batch, which was announced. */
function ofChange(s: Snapshot, m: Extract<Move, { move: "change" }>): readonly Move[] {
  if (m.to === "ROLLBACK" || s.change.state === "ROLLBACK") return [];
  const title = m.to === "PENDING" ? "back to draft" : m.to === "IN_PROGRESS" ? "in progress" : m.to.toLowerCase();
  return [message(s, "message", `state/${m.to}/${s.change.version}`, title, `${m.because}.`)];
}
