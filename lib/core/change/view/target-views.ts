import type { ConfigRow } from "@/lib/core/config-state/board";
import { UNKNOWN_WORDS } from "../unknown-words";
import { sentence, type Names } from "../sentence";
import type { Snapshot } from "../snapshot";
import { STEP_TRAITS } from "../step";
import type { Target } from "../target";
import type { Wait } from "../wait";
import type { TargetView } from "./change-view";

/** Every planned node with its one outcome word; "needs investigation" is a mark beside it, with an owner (R8.6). */
export const targetViews = (s: Snapshot, waits: readonly Wait[], names: Names): TargetView[] =>
  s.targets.map((target) => targetView(s, target, waits, names));

function targetView(s: Snapshot, target: Target, waits: readonly Wait[], names: Names): TargetView {
  const who = (id: Target["investigatorId"]) => (id === null ? null : { id, name: names.person(id) });
  return {
    id: target.id,
    name: target.name,
    batch: target.batch,
    role: target.role,
    mode: target.mode,
    class: s.classes.find((one) => one.id === target.classId)?.label ?? `class ${target.classId}`,
    step: target.step,
    outcome: STEP_TRAITS[target.step].outcome,
    aim: target.aim,
    generation: target.generation,
    gpus: target.gpus,
    since: target.since.toISOString(),
    because: target.because,
    needsInvestigation: ["failed", "unresolved", "rollback_failed"].includes(target.step),
    investigator: who(target.investigatorId),
    releasedTo: who(target.releasedToId),
    ticket: target.ticket,
    service: target.service.is === "value" ? target.service.value.state : null,
    serviceReason: target.service.is === "value" ? target.service.value.reason : UNKNOWN_WORDS[target.service.because],
    configuration: target.board === null ? null : configurationOf(target.board.now),
    waits: waits.filter((wait) => wait.about.what === "target" && wait.about.id === target.id).map((wait) => sentence(wait.because, names)),
  };
}

function configurationOf(row: ConfigRow): TargetView["configuration"] {
  return Object.fromEntries(
    Object.entries(row).map(([field, match]) => {
      if (match.verdict === "not_applicable")
        return [field, { verdict: match.verdict, value: null, wanted: null, because: match.because, sources: [], at: null }];
      const { known } = match;
      return [
        field,
        {
          verdict: match.verdict,
          value: known.is === "value" ? known.value : null,
          wanted: match.wanted,
          because: known.is === "value" ? "" : UNKNOWN_WORDS[known.because],
          sources: known.is === "value" ? [...known.sources] : [...new Set(known.last.map((seen) => seen.source))],
          at: known.is === "value" ? known.at.toISOString() : null,
        },
      ];
    }),
  );
}
