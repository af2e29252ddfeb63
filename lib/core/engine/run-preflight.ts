import { blocks } from "@/lib/core/check/verdict";
import { gatesBefore, gateStates } from "@/lib/core/change/gate";
import { newestPreflight } from "@/lib/core/change/gate-of-preflight";
import type { Move } from "@/lib/core/change/move";
import { judgePreflightRow, preflightChecks } from "@/lib/core/change/preflight";
import { bindsToWindows, openWindow, preflightDue, startConditions } from "@/lib/core/change/start-conditions";
import type { CheckView } from "@/lib/core/change/snapshot";
import type { Wait } from "@/lib/core/change/wait";
import type { Look } from "./look";

/** Rows of preflight: written where they are missing or too old, judged as their facts come (R7.7). */
export function judgePreflight(look: Look): readonly Move[] {
  const { s } = look;
  const rows = newestPreflight(s);
  const due = s.change.state === "PREFLIGHT" ? rows.length === 0 : s.change.state === "IN_PROGRESS" && isDueAgain(look, rows);
  if (due) return preflightChecks(s, look.now).map((check) => ({ move: "check", check }));
  if (s.change.state !== "PREFLIGHT" && s.change.state !== "IN_PROGRESS") return [];
  return rows.flatMap((row): readonly Move[] => {
    if (row.verdict !== null || row.spec.kind !== "preflight") return [];
    const judged = judgePreflightRow(row.spec.row, s, look.policy, look.now);
    return judged === null ? [] : [{ move: "judge", checkId: row.id, judged }];
  });
}

/** It was good once and is not any more, nodes still wait, and it did not run since: at a window's start, or after 12 hours. */
function isDueAgain(look: Look, rows: readonly CheckView[]): boolean {
  const { s, now } = look;
  const passedAt = s.change.preflightPassedAt;
  if (passedAt === null || preflightDue(s, now).length === 0 || rows.some((r) => r.verdict === null)) return false;
  if (!s.targets.some((t) => t.step === "waiting") || s.holds.some((h) => h.kind !== "window_closed")) return false;
  if (bindsToWindows(s) && openWindow(s, now) === null) return false;
  return rows.every((r) => r.judgedAt === null || r.judgedAt <= passedAt);
}

/** All rows pass or are waived: passed, and a change that was asked to begin begins. One failed: back to the draft. */
export function endPreflight(look: Look): { readonly moves: readonly Move[]; readonly waits: readonly Wait[] } {
  const { s, now } = look;
  const rows = newestPreflight(s);
  const running = s.change.state === "PREFLIGHT" || s.change.state === "IN_PROGRESS";
  if (!running || rows.length === 0) return { moves: [], waits: [] };
  const failed = rows.filter((r) => r.verdict === "fail");
  if (failed.length > 0) {
    if (s.change.state === "IN_PROGRESS") return { moves: [], waits: [] };
    const because = `preflight failed: ${failed.map((r) => `${r.name}, ${r.because}`).join("; ")}`;
    const passed: readonly Move[] = s.change.preflightPassedAt === null ? [] : [{ move: "preflight", passedAt: null, because }];
    return { moves: [...passed, { move: "change", to: "PENDING", outcome: null, because }], waits: [] };
  }
  const passedAt = s.change.preflightPassedAt;
  if (rows.every((r) => !blocks(r, now))) {
    if (passedAt === null || rows.some((r) => r.judgedAt !== null && r.judgedAt > passedAt))
      return { moves: [{ move: "preflight", passedAt: now, because: `${rows.length} rows pass or are waived` }], waits: [] };
    return s.change.state === "PREFLIGHT" ? begin(look) : { moves: [], waits: [] };
  }
  const waits = rows
    .filter((r) => r.verdict === null)
    .map((r): Wait => ({
      about: { what: "change", id: s.change.id },
      because: { code: "settling", name: r.name, on: "preflight", until: r.dueAt ?? now },
      until: r.dueAt,
    }));
  return { moves: [], waits };
}

/** From preflight into progress: asked for by a person or by `advance: auto`, every gate before the canaries done, start conditions met. */
function begin(look: Look): { readonly moves: readonly Move[]; readonly waits: readonly Wait[] } {
  const { s } = look;
  const noCanary = !s.targets.some((t) => t.role === "canary");
  const asked = s.change.advance === "auto" || s.change.canariesAskedFor || (noCanary && s.batches.some((b) => b.askedFor));
  const closed = [...gatesBefore(gateStates(s, look.policy, look.now), "canary"), ...startConditions(s, look.policy, look.now)];
  if (asked && closed.length === 0)
    return {
      moves: [{ move: "change", to: "IN_PROGRESS", outcome: null, because: "preflight passed, every gate before the first node is done" }],
      waits: [],
    };
  const who = s.change.people.operator.length > 0 ? s.change.people.operator : [s.change.operatorId];
  const ask = { code: "waiting_for_person" as const, action: noCanary ? ("start-batch" as const) : ("start-canary" as const), who };
  return {
    moves: [],
    waits: [...closed, ...(asked ? [] : [ask])].map((because) => ({ about: { what: "change", id: s.change.id }, because, until: null })),
  };
}
