import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { NodeStep } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import { isForeign } from "@/lib/core/node/service";
import { message } from "./ask-message";
import { commandsOf, lastOf, standing, type Look } from "./look";
import { serviceAfter } from "./service-after";
import { askDrain } from "./step-draining";
import { goTo, targetMove } from "./step-ruling";
import { askTakeOver, takenOver } from "./take-over";

/** Steps in which a node must be out of service by our drain or inside our reservation (R9.3). */
const OUT: ReadonlySet<NodeStep> = new Set<NodeStep>([
  "draining",
  "measuring",
  "updating",
  "rebooting",
  "observing",
  "validating",
  "unresolved",
  "failed",
  "rolling_back",
  "rollback_failed",
]);

/**
 * What nobody planned: a node of ours that takes work before it was accepted, a drain whose reason somebody changed, a reboot that nobody ordered.
 * Found within one observation, answered at once where the answer only protects.
 */
export function watch(look: Look): { readonly moves: readonly Move[]; readonly commands: readonly NewCommand[] } {
  const moves: Move[] = [];
  const commands: NewCommand[] = [];
  for (const t of look.s.targets) {
    if (!OUT.has(t.step)) continue;
    const lost = lostDrain(look, t);
    const taken = askTakeOver(look, t);
    moves.push(...lost.moves, ...foreignDrain(look, t), ...taken.moves, ...unplannedReboot(look, t));
    commands.push(...lost.commands, ...taken.commands);
  }
  return { moves, commands };
}

/** When our newest order to the scheduler about this node had ended; null while one is under way or nobody knows how it ended. */
function ordersEnded(look: Look, t: Target): Date | null {
  const orders = (["drain", "reserve", "unreserve", "release"] as const).map((kind) => lastOf(look, t, kind)).filter((c) => c !== null);
  if (orders.some((c) => standing(c, look) !== "done")) return null;
  return orders.reduce((latest, c) => (c.finishedAt !== null && c.finishedAt > latest ? c.finishedAt : latest), t.since);
}

const NOTHING = { moves: [], commands: [] };

function lostDrain(look: Look, t: Target): { readonly moves: readonly Move[]; readonly commands: readonly NewCommand[] } {
  const since = t.step === "draining" && lastOf(look, t, "drain") === null ? null : ordersEnded(look, t);
  // After its release the node is on its way back: what is missing then is a decision, not a drain.
  if (since === null || lastOf(look, t, "release") !== null) return NOTHING;
  if (!look.s.obligations.some((o) => o.targetId === t.id && o.kind === "drain")) return NOTHING;
  const seen = serviceAfter(look, t, since);
  if (seen.is === "not_yet" || seen.service.state !== "in_service" || seen.service.ours) return NOTHING;
  const again = askDrain(look, t, "its drain was lost: drained again");
  const nth = commandsOf(look, t, "drain").length + 1;
  const jobs = seen.service.jobs.map((j) => `${j.id} of ${j.user}`).join(", ");
  const because = `${t.name} was in service without acceptance${jobs === "" ? "" : `; jobs on it: ${jobs}`}; it is drained again`;
  const held = look.s.holds.some((h) => h.kind === "lost_drain" && h.targetId === t.id);
  const hold: Move = { move: "hold", kind: "lost_drain", batch: t.batch, targetId: t.id, ownerId: look.s.change.ownerId, because };
  return {
    moves: [
      ...(held ? [] : [hold]),
      {
        move: "finding",
        kind: "lost_drain",
        key: `lost_drain/${t.id}/${t.generation}/${nth}`,
        on: t.subjectId,
        because,
        blocks: true,
        acceptedBy: "approver",
      },
      message(look.s, "page", `lost_drain/${t.name}/${t.generation}/${nth}`, `${t.name} in service without acceptance`, `${because}.`),
      ...(again.moves ?? []),
    ],
    commands: again.commands ?? [],
  };
}

/** Before its update such a node is simply theirs; later it is ours and theirs, and a person talks to them (R9.2). */
function foreignDrain(look: Look, t: Target): readonly Move[] {
  if (!t.updateBegan) return [];
  const key = `foreign_drain/${t.id}/${t.generation}`;
  const open = look.s.findings.some((f) => f.key === key && f.closedAt === null);
  const since = ordersEnded(look, t);
  if (since === null) return [];
  const seen = serviceAfter(look, t, since);
  if (seen.is === "not_yet") return [];
  if (!isForeign(seen.service)) return open ? [{ move: "close_finding", key, because: "the drain is this change's again" }] : [];
  if (look.s.findings.some((f) => f.key === key) || takenOver(look, t) !== null) return [];
  const because = `the drain of ${t.name} was changed by somebody else, reason "${seen.service.reason ?? ""}"; it stays theirs until they agree`;
  return [
    { move: "finding", kind: "foreign_drain", key, on: t.subjectId, because, blocks: true },
    { move: "hold", kind: "foreign_action", batch: t.batch, targetId: t.id, ownerId: look.s.change.ownerId, because },
    message(look.s, "message", `foreign_drain/${t.name}/${t.generation}`, `drain of ${t.name} was changed`, `${because}.`),
  ];
}

/** Its evidence is from before the reboot and says nothing about the state after it (R1.11). */
function unplannedReboot(look: Look, t: Target): readonly Move[] {
  if (t.step !== "validating" || t.bootId === null) return [];
  const read = [...commandsOf(look, t, "probe")].reverse().find((c) => standing(c, look) === "done")?.outcome?.bootId;
  if (read === undefined || read === null || read === t.bootId) return [];
  const to = goTo("unresolved", `it rebooted by itself while it was validated: boot id ${read} before, ${t.bootId} now`).to;
  return to === undefined ? [] : [targetMove(t, to, look.now)];
}
