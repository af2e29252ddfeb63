import { assertNever } from "@/lib/core/kernel/result";
import { occurrences } from "@/lib/core/window/freeze";
import { spacing } from "@/lib/core/window/spacing";
import { nextOpening as nextSpan, openNow, windowFits } from "@/lib/core/window/window";
import { nextBatch } from "./batch-rules";
import { stopDecided } from "./decision-rules";
import { batchEstimateMs } from "./estimate";
import { GATE_PROFILES, PREFLIGHT_VALID_MS } from "./gate-profiles";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { Snapshot } from "./snapshot";

const SHORT_NOTICE_MS = 30 * 60_000;

/**
 * Why no node may go out at this moment: state, holds, stop, window, spacing, freezes, notice, age of preflight, the hand (MODEL 4.1). No gates: see `gatesBefore`.
 * Read again whenever a node is about to go out; whatever is under way already goes on.
 */
export function startConditions(s: Snapshot, policy: Policy, now: Date): readonly Reason[] {
  const stop = stopDecided(s, now);
  return [
    ...stateReasons(s),
    ...(stop === null
      ? []
      : [{ code: "stopped" as const, choice: stop.choice === "stop" ? ("stop" as const) : ("roll_back_all" as const), byId: stop.byId }]),
    ...s.holds.map((h) => ({ code: "held" as const, kind: h.kind, ownerId: h.ownerId, because: h.because })),
    ...timeReasons(s, policy, now),
    ...preflightDue(s, now),
    ...(s.handOf === null ? [] : [{ code: "other_change" as const, changeId: s.handOf, on: "this cluster" }]),
  ];
}

/** Preflight is too old, or the window opened after it: it has to run again before a node goes out (R7.7). Empty: fresh, or it never passed, which the gate says. */
export function preflightDue(s: Snapshot, now: Date): readonly Reason[] {
  const passedAt = s.change.preflightPassedAt;
  if (passedAt === null) return [];
  if (now.getTime() - passedAt.getTime() > PREFLIGHT_VALID_MS)
    return [{ code: "preflight_old", passedAt, because: "it is valid for 12 hours" }];
  const booking = bindsToWindows(s) ? openWindow(s, now) : null;
  if (booking !== null && booking.startsAt > passedAt)
    return [{ code: "preflight_old", passedAt, because: "a new window has opened since" }];
  return [];
}

/** The booked window that is open now; of several the one that stays open longest. */
export const openWindow = (s: Snapshot, now: Date): Snapshot["windows"][number] | null => openNow(s.windows, now);

export const bindsToWindows = (s: Snapshot): boolean => GATE_PROFILES[s.change.profile].start === "window_spacing_freeze";

/** Window, spacing and freezes, or for an emergency the notice (R11.1-R11.4); nothing for a rehearsal. Also the preflight rows of these names. */
export function timeReasons(s: Snapshot, policy: Policy, now: Date): readonly Reason[] {
  switch (GATE_PROFILES[s.change.profile].start) {
    case "nothing":
      return [];
    case "notice_rest_shown_as_overridden":
      return noticeReasons(s, policy, now);
    case "window_spacing_freeze":
      return [
        ...(nextBatch(s) === null ? windowReasons(s, now, 0) : windowReasons(s, now)),
        ...spacingReasons(s, policy, now),
        ...freezeReasons(s, now),
      ];
  }
}

/** No window is open, or what may take `needMs` (left out: a whole batch at its longest) would not end before it does (R11.2). */
export function windowReasons(s: Snapshot, now: Date, needMs: number = batchEstimateMs(s)): readonly Reason[] {
  const answer = windowFits(s.windows, needMs, now);
  switch (answer.is) {
    case "open":
      return [];
    case "closed":
      return [{ code: "window_closed", opensAt: answer.opensAt }];
    case "too_short":
      return [{ code: "window_too_short", needMs: answer.needMs, leftMs: answer.leftMs }];
    default:
      return assertNever(answer);
  }
}

export const nextOpening = (s: Snapshot, now: Date): Date | null => nextSpan(s.windows, now);

/** From the end of one maintenance to the start of the next; not for further windows of a change that has begun, the same type's follow-ups, disposable clusters (R11.3). */
export function spacingReasons(s: Snapshot, policy: Policy, start: Date): readonly Reason[] {
  const last = s.lastMaintenance;
  if (last === null || s.change.startedAt !== null || s.cluster.disposable || last.type === s.change.type) return [];
  const early = spacing(last.endedAt, start, policy.spacingMs);
  return early === null
    ? []
    : [{ code: "spacing", until: early.until, because: `${last.changeId} (${last.type}) ended at ${last.endedAt.toISOString()}` }];
}

export const freezeReasons = (s: Snapshot, from: Date, to: Date = from): readonly Reason[] =>
  occurrences(s.freezes, from, to).map((f) => ({ code: "freeze" as const, until: f.endsAt, because: f.reason }));

function noticeReasons(s: Snapshot, policy: Policy, now: Date): readonly Reason[] {
  if (s.announcedAt === null)
    return [{ code: "not_yet", what: "the announcement has not been delivered", next: "the notice runs from its delivery" }];
  const noticeMs = s.cluster.production ? policy.noticeMs : Math.min(SHORT_NOTICE_MS, policy.noticeMs);
  const until = new Date(s.announcedAt.getTime() + noticeMs);
  return now < until ? [{ code: "notice", until, because: `announced at ${s.announcedAt.toISOString()}` }] : [];
}

function stateReasons(s: Snapshot): readonly Reason[] {
  switch (s.change.state) {
    case "PREFLIGHT":
    case "IN_PROGRESS":
      return [];
    case "PENDING":
      return [{ code: "state", state: "PENDING", because: "preflight comes first" }];
    case "ROLLBACK":
      return [{ code: "state", state: "ROLLBACK", because: "nodes are going back" }];
    default:
      return [{ code: "state", state: s.change.state, because: "it has ended" }];
  }
}
