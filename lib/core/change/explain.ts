import { configSentence } from "@/lib/core/config-state/explain";
import type { NextAction } from "./action-state";
import { batchesInOrder, isOver, isUndecided } from "./batch-rules";
import { stopDecided } from "./decision-rules";
import { HOLD_TRAITS } from "./hold";
import { nextAction } from "./next-action";
import type { Policy } from "./policy";
import { sentence, type Names } from "./sentence";
import type { Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";
import { tally } from "./tally";
import type { Target } from "./target";
import { ACTION_WORDS } from "./action-words";
import { HOLD_WORDS, STATE_WORDS } from "./words";

type Explained = {
  /** Where this stands, in one sentence. */ readonly stands: string;
  /** What is next and who does it, in one sentence. */ readonly next: string;
  /** Holds, waits, commitment, and the configuration of the nodes that are out. */ readonly sentences: readonly string[];
  readonly nextAction: NextAction;
};

/** The record in words: the first lines of every page, of the API and of the handoff (R7.4). */
export function explain(s: Snapshot, policy: Policy, now: Date): Explained {
  const next = nextAction(s, policy, now);
  const names: Names = { person: (id) => s.people.find((p) => p.id === id)?.name ?? id };
  return { stands: stands(s), next: nextSentence(s, next, names), sentences: sentences(s, next, now, names), nextAction: next };
}

function stands(s: Snapshot): string {
  const counts = tally(s.targets);
  const over = batchesInOrder(s).filter((b) => isOver(s, b) && !isUndecided(s, b)).length;
  const shown = Object.entries(counts).filter(([, n]) => n > 0);
  const outcome = s.change.outcome === null ? "" : `, ${s.change.outcome.replaceAll("_", " ")}`;
  const hold = s.holds[0];
  const held = hold === undefined ? "" : `, held (${HOLD_WORDS[hold.kind]})`;
  const progress = s.change.startedAt === null ? "" : ` ${over} of ${s.batches.length} batches are through.`;
  return `${STATE_WORDS[s.change.state]}${outcome}${held}: ${s.targets.length} nodes, ${shown.map(([word, n]) => `${n} ${word.toLowerCase()}`).join(", ")}.${progress}`;
}

function nextSentence(s: Snapshot, next: NextAction, names: Names): string {
  if (next.by === "nobody") return `Nothing is next: ${next.because}.`;
  if (next.by === "worker") {
    const [first] = next.waits;
    return first === undefined ? `The worker goes on: ${next.doing}.` : `The worker ${next.doing}. ${sentence(first.because, names)}`;
  }
  const who = next.who.length === 0 ? "nobody holds that role yet" : next.who.slice(0, 4).map(names.person).join(", ");
  return `Next: ${ACTION_WORDS[next.action]}${next.on === null ? "" : ` ${subjectOf(s, next)}`} (${who}).`;
}

/** What an id stands for, where it has a name. */
function subjectOf(s: Snapshot, next: Extract<NextAction, { by: "person" }>): string {
  const check = s.checks.find((c) => c.id === next.on);
  if (check !== undefined) return `"${check.name}" on ${s.targets.find((t) => t.id === check.targetId)?.name ?? "the change"}`;
  const report = s.reports.find((r) => r.id === next.on);
  if (report !== undefined) return `of ${report.body.canary}`;
  const finding = s.findings.find((f) => f.id === next.on);
  if (finding !== undefined) return `"${finding.because}"`;
  return (next.on ?? "").replaceAll("_", " ");
}

function sentences(s: Snapshot, next: NextAction, now: Date, names: Names): readonly string[] {
  const stop = stopDecided(s, now);
  return [
    ...s.holds.map((h) => {
      const by = HOLD_TRAITS[h.kind].liftedBy;
      return `${sentence({ code: "held", kind: h.kind, ownerId: h.ownerId, because: h.because }, names)} ${by === "rule" ? "It ends by itself with its cause." : `It is lifted by: ${ACTION_WORDS[by]}.`}`;
    }),
    ...(stop === null
      ? []
      : [sentence({ code: "stopped", choice: stop.choice === "stop" ? "stop" : "roll_back_all", byId: stop.byId }, names)]),
    ...(s.rollback.committedAt === null ? [] : [sentence({ code: "committed", since: s.rollback.committedAt }, names)]),
    ...(next.by === "worker" ? next.waits.slice(1).map((w) => sentence(w.because, names)) : []),
    ...s.sources
      .filter((x) => x.failedAt !== null && (x.confirmsAt === null || x.failedAt > x.confirmsAt))
      .map((x) => `Source ${x.source} does not answer since ${x.failedAt?.toISOString() ?? ""}: ${x.reason ?? "no reason given"}.`),
    ...new Set(s.targets.flatMap(layerSentences)),
  ];
}

/** What does not agree; that a rebuilt node loses the version was accepted with the plan and is told while the node is in hand, not for ever of each. */
const layerSentences = (t: Target): readonly string[] =>
  (t.board?.sentences ?? [])
    .filter((x) => x.says !== "all_agree" && (x.says !== "rebuild_returns_to_old" || STEP_TRAITS[t.step].holdsSlot))
    .map(configSentence);
