import type { CommandView, NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { CheckView, Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";

/**
 * The record as it will be once `moves` and `commands` are committed, as far as a later phase of the same look needs it. Messages, saved reports
 * and everything that only people's actions write leave the snapshot as it is.
 */
export function applyMoves(s: Snapshot, moves: readonly Move[], commands: readonly NewCommand[], now: Date): Snapshot {
  const targets = new Map(s.targets.map((t) => [t.id, t]));
  const checks = new Map(s.checks.map((c) => [c.id, c]));
  let next: Snapshot = s;
  for (const m of moves) {
    if (m.move === "target" || m.move === "saved" || m.move === "prior") {
      const id = m.move === "target" ? m.id : m.targetId;
      const t = targets.get(id);
      if (t !== undefined) targets.set(id, moveTarget(t, m, now));
    } else if (m.move === "extra_batch" || m.move === "retry_batch") {
      for (const id of m.targets) {
        const t = targets.get(id);
        if (t !== undefined) targets.set(id, { ...t, batch: m.number });
      }
      next = { ...next, batches: [...next.batches, newBatch(m)] };
    } else if (m.move === "check") {
      if (!checks.has(m.check.id)) checks.set(m.check.id, viewOf(m.check));
    } else if (m.move === "judge" || m.move === "check_due") {
      const c = checks.get(m.checkId);
      if (c !== undefined) checks.set(c.id, moveCheck(c, m, now));
    } else next = moveRecord(next, m, now);
  }
  const open = commands.map((c): CommandView => ({
    ...c,
    state: "planned",
    startedAt: null,
    finishedAt: null,
    handle: null,
    outcome: null,
  }));
  return { ...next, targets: [...targets.values()], checks: [...checks.values()], commands: [...s.commands, ...open] };
}

function moveTarget(t: Target, m: Extract<Move, { move: "target" | "saved" | "prior" }>, now: Date): Target {
  if (m.move === "prior") return { ...t, prior: { state: m.service.state as "drained", reason: m.service.reason, ours: false, jobs: [] } };
  if (m.move === "saved") {
    const saved = new Map(m.components.map((c) => [c.name, c.savedVersion]));
    return { ...t, rollback: t.rollback.map((c) => ({ ...c, savedVersion: saved.get(c.name) ?? c.savedVersion })) };
  }
  const { to, aim, stage, generation, deadlineAt, because } = m;
  const updateBegan = to === "waiting" ? false : t.updateBegan || to === "updating";
  return { ...t, step: to, aim, stage, generation, deadlineAt, because, updateBegan, since: now };
}

const newBatch = (m: Extract<Move, { move: "extra_batch" | "retry_batch" }>): Snapshot["batches"][number] => ({
  number: m.number,
  extraOf: m.move === "extra_batch" ? m.extraOf : null,
  state: "waiting",
  notBefore: null,
  // Its batch was asked for and approved: the rest needs no new word (R6.3).
  askedFor: m.move === "extra_batch",
});

const moveCheck = (c: CheckView, m: Extract<Move, { move: "judge" | "check_due" }>, now: Date): CheckView =>
  m.move === "judge"
    ? { ...c, verdict: m.judged.verdict, because: m.judged.because, reason: m.judged.reason, judgedAt: now }
    : { ...c, settlesAt: m.settlesAt, dueAt: m.dueAt };

const viewOf = (check: Extract<Move, { move: "check" }>["check"]): CheckView => ({
  ...check,
  verdict: check.notApplicableBecause === null ? null : "not_applicable",
  because: check.notApplicableBecause ?? "",
  reason: null,
  judgedAt: null,
  waivedUntil: null,
});

function moveRecord(s: Snapshot, m: Move, now: Date): Snapshot {
  switch (m.move) {
    case "batch":
      return mapBatch(s, m.number, { state: m.to, notBefore: m.notBefore });
    case "ask_batch":
      return mapBatch(s, m.number, { askedFor: true });
    case "ask_canaries":
      return { ...s, change: { ...s.change, canariesAskedFor: true } };
    case "change":
      return {
        ...s,
        change: { ...s.change, state: m.to, outcome: m.outcome, startedAt: s.change.startedAt ?? (m.to === "IN_PROGRESS" ? now : null) },
      };
    case "preflight":
      return { ...s, change: { ...s.change, preflightPassedAt: m.passedAt } };
    case "hold": {
      const { kind, batch, targetId, ownerId, because } = m;
      const id = `${kind}/${batch ?? targetId ?? "change"}/${now.getTime()}`;
      return { ...s, holds: [...s.holds, { id, kind, batch, targetId, ownerId, because, since: now, byPerson: false }] };
    }
    case "lift":
      return { ...s, holds: s.holds.filter((h) => h.kind !== m.kind) };
    case "count":
      return { ...s, rollback: m.rollback };
    case "obligation": {
      const { id, kind, targetId, name, prior, endsAt } = m;
      return { ...s, obligations: [...s.obligations, { id, kind, on: name, targetId, name, prior, since: now, endsAt }] };
    }
    case "settle":
      return { ...s, obligations: s.obligations.filter((o) => o.id !== m.obligationId) };
    case "finding": {
      const { key, kind, because, blocks } = m;
      const finding = { id: key, key, kind, on: String(m.on ?? "change"), because, blocks, acceptedBy: m.acceptedBy ?? null };
      return { ...s, findings: [...s.findings, { ...finding, openedAt: now, closedAt: null }] };
    }
    case "close_finding":
      return { ...s, findings: s.findings.filter((f) => f.key !== m.key) };
    default:
      // What only people's actions write is committed by them, before a look; the rest changes nothing a later phase reads.
      return s;
  }
}

const mapBatch = (s: Snapshot, number: number, change: Partial<Snapshot["batches"][number]>): Snapshot => ({
  ...s,
  batches: s.batches.map((b) => (b.number === number ? { ...b, ...change } : b)),
});
