import type { Move } from "@/lib/core/change/move";
import type { Reason } from "@/lib/core/change/reason";
import type { Ruling } from "@/lib/core/engine/ruling";

/** A ruling in the short words of the case table: `t1>checking`, `!gpu001/check_health/1`, `~t1 jobs_running`. Rows of checks, dates and messages are left out. */
export const ruled = (ruling: Ruling): readonly string[] => [
  ...ruling.moves.flatMap((m) => said(m)),
  ...ruling.commands.map((c) => `!${c.key.split("/").slice(1).join("/")}`),
  ...ruling.waits.map(
    (w) => `~${w.about.what === "target" ? w.about.id : w.about.what === "batch" ? `batch ${w.about.id}` : "change"} ${reason(w.because)}`,
  ),
];

function said(m: Move): readonly string[] {
  switch (m.move) {
    case "target":
      return [`${m.id}>${m.to}${m.to === "rolling_back" ? ` (generation ${m.generation}, aim ${m.aim})` : ""}`];
    case "batch":
      return m.to === "waiting" ? [] : [`batch ${m.number}>${m.to}`];
    case "change":
      return [`change>${m.to}`];
    case "hold":
      return [`hold ${m.kind}`];
    case "lift":
      return [`lift ${m.kind}`];
    case "extra_batch":
      return [`batch ${m.number} made, extra of ${m.extraOf}, with ${m.targets.join(" ")}`];
    case "count":
      return [
        `count failed ${m.rollback.failedBatches}, streak ${m.rollback.streak}${m.rollback.committedAt === null ? "" : ", committed"}`,
      ];
    case "ask_batch":
      return [`ask batch ${m.number}`];
    case "ask_canaries":
      return ["ask canaries"];
    case "judge":
      return [`${m.checkId.split("/").slice(2).join("/")}: ${m.judged.verdict}`];
    case "message":
      return m.urgency === "page" ? [`page: ${m.title.split(": ").slice(1).join(": ")}`] : [];
    case "saved":
    case "prior":
    case "baseline":
    case "report":
    case "finding":
    case "settle":
      return [m.move];
    default:
      return [];
  }
}

function reason(r: Reason): string {
  switch (r.code) {
    case "gate_open":
      return `gate_open(${r.gate})`;
    case "waiting_for_person":
      return `waiting_for_person(${r.action})`;
    case "no_room":
      return `no_room(${r.limit}, ${r.takenBy.length} names)`;
    case "unknown":
      return `unknown(${r.field}, ${r.unknown})`;
    case "first_of_scale_set":
      return `first_of_scale_set(${r.first})`;
    case "held":
      return `held(${r.kind})`;
    default:
      return r.code;
  }
}
