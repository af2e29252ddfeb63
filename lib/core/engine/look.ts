import { commandKey, type CommandKind, type CommandView } from "@/lib/core/change/command";
import type { Obligation, ObligationKind } from "@/lib/core/change/obligation";
import type { Policy } from "@/lib/core/change/policy";
import type { CheckView, LockedJob, Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import type { TargetId } from "@/lib/core/kernel/ids";
import { drainReasonOf } from "@/lib/core/node/service-observation";

/** A snapshot with what the steps ask for again and again at hand. */
export type Look = {
  readonly s: Snapshot;
  readonly policy: Policy;
  readonly now: Date;
  readonly byKey: ReadonlyMap<string, CommandView>;
  readonly checksBy: ReadonlyMap<TargetId, readonly CheckView[]>;
};

export function lookAt(s: Snapshot, policy: Policy, now: Date): Look {
  const checksBy = new Map<TargetId, CheckView[]>();
  for (const c of s.checks) {
    if (c.targetId === null || c.scope === "change") continue;
    const list = checksBy.get(c.targetId);
    if (list === undefined) checksBy.set(c.targetId, [c]);
    else list.push(c);
  }
  return { s, policy, now, byKey: new Map(s.commands.map((c) => [c.key as string, c])), checksBy };
}

/** Checks of this pass over the node, the baseline's apart. */
export const checksOf = (look: Look, t: Target): readonly CheckView[] =>
  (look.checksBy.get(t.id) ?? []).filter((c) => c.generation === t.generation && c.gate !== "baseline");
export const baselineCheckOf = (look: Look, t: Target): CheckView | null =>
  (look.checksBy.get(t.id) ?? []).find((c) => c.generation === t.generation && c.gate === "baseline") ?? null;

/** The `nth` command of a kind in this pass, null while it was not asked for. */
export const commandOf = (look: Look, t: Target, kind: CommandKind, nth = 1): CommandView | null =>
  look.byKey.get(commandKey(look.s.change.id, t.name, kind, t.generation, nth)) ?? null;

/** All commands of a kind in this pass, first to last. */
export function commandsOf(look: Look, t: Target, kind: CommandKind): readonly CommandView[] {
  const found: CommandView[] = [];
  for (let c = commandOf(look, t, kind); c !== null; c = commandOf(look, t, kind, found.length + 1)) found.push(c);
  return found;
}
export const lastOf = (look: Look, t: Target, kind: CommandKind): CommandView | null => {
  const all = commandsOf(look, t, kind);
  return all[all.length - 1] ?? null;
};

/**
 * How a command stands. `late`: started, past its deadline and a command's time more, and nobody said how it ended. One that was only planned
 * was never sent, so no deadline ends it.
 */
type Standing = "running" | "late" | "done" | "failed" | "unknown";
export function standing(c: CommandView, look: Look): Standing {
  if (c.state === "succeeded") return "done";
  if (c.state === "failed") return "failed";
  if (c.state === "unknown" || c.state === "cancelled") return "unknown";
  return c.state === "started" && look.now.getTime() > c.deadlineAt.getTime() + look.policy.commandMs ? "late" : "running";
}

export const openObligation = (look: Look, t: Target, kind: ObligationKind): Obligation | null =>
  look.s.obligations.find((o) => o.targetId === t.id && o.kind === kind) ?? null;

export const jobOf = (look: Look, t: Target): LockedJob | null => look.s.jobs.find((j) => j.classId === t.classId) ?? null;

export const drainReason = (look: Look, t: Target): string => drainReasonOf(look.s.change.id, t.name);
export const plus = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
