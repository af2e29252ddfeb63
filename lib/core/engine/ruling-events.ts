import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Ruling } from "./ruling";

type RulingEvent = {
  readonly action: string;
  readonly targetId: string | null;
  readonly because: string;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** Audit lines of one look: one for each move that changes what a person would be told, one that names every command it asked for (R12.3). */
export function rulingEvents(s: Snapshot, ruling: Ruling): readonly RulingEvent[] {
  const moves = ruling.moves.flatMap((move) => {
    const event = eventOf(s, move);
    return event === null ? [] : [event];
  });
  if (ruling.commands.length === 0) return moves;
  const planned = ruling.commands.map((command) => ({ key: command.key, because: command.because }));
  return [
    ...moves,
    { action: "commands.planned", targetId: null, because: `${planned.length} to carry out`, facts: { commands: planned } },
  ];
}

function eventOf(s: Snapshot, move: Move): RulingEvent | null {
  const line = (action: string, because: string, targetId: string | null, facts: Readonly<Record<string, unknown>> = {}): RulingEvent => ({
    action,
    targetId,
    because,
    facts,
  });
  switch (move.move) {
    case "change":
      return line(changeEvent(s, move.to), move.because, null, { from: s.change.state, to: move.to, outcome: move.outcome });
    case "target":
      return line(`target.${move.to}`, move.because, move.id, {
        from: move.from,
        aim: move.aim,
        stage: move.stage,
        generation: move.generation,
      });
    case "batch":
      return line(`batch.${move.to}`, move.because, null, { batch: move.number, notBefore: move.notBefore?.toISOString() ?? null });
    case "extra_batch":
      return line("batch.extra", move.because, null, { batch: move.number, extraOf: move.extraOf, targets: move.targets });
    case "hold":
      return line("hold.set", move.because, move.targetId, { kind: move.kind, batch: move.batch });
    case "lift":
      return line("hold.lifted", move.because, null, { kind: move.kind });
    case "judge":
      return line(`check.${move.judged.verdict}`, move.judged.because, null, { check: move.checkId, reason: move.judged.reason });
    case "finding":
      return line("finding.opened", move.because, null, { kind: move.kind, key: move.key, blocks: move.blocks });
    case "close_finding":
      return line("finding.closed", move.because, null, { key: move.key });
    case "obligation":
      return line("obligation.made", move.name, move.targetId, { kind: move.kind });
    case "settle":
      return line("obligation.settled", move.because, null, { obligation: move.obligationId });
    case "report":
      return line("report.frozen", `canary record of ${move.report.canary}`, null, {
        class: move.report.classId,
        number: move.report.number,
      });
    case "baseline":
      return line("baseline.captured", move.because, null, { class: move.classId, runs: move.runIds });
    case "count":
      return line("rollback.counted", move.because, null, {
        ...move.rollback,
        committedAt: move.rollback.committedAt?.toISOString() ?? null,
      });
    case "preflight":
      return line("preflight.judged", move.because, null, { passedAt: move.passedAt?.toISOString() ?? null });
    default:
      return null;
  }
}

function changeEvent(s: Snapshot, to: string): string {
  if (to === "ROLLBACK") return "change.rollback";
  if (s.change.state === "ROLLBACK") return "change.rollback_ended";
  if (s.change.state === "PREFLIGHT") return "change.preflight_ended";
  return `change.${to.toLowerCase()}`;
}
