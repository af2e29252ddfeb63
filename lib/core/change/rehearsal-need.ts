import { doesRehearse, type RehearsedPlan } from "@/lib/core/acceptance/rehearsal";
import { isLackAccepted } from "./approval";
import { classesInPlay, labelOfClass } from "./class-in-play";
import { GATE_PROFILES } from "./gate-profiles";
import type { Reason } from "./reason";
import type { Snapshot } from "./snapshot";

/** What the two rehearsals still lack for this plan and its classes (R4.6, R7.5); empty: as the profile asks. */
export function rehearsalReasons(s: Snapshot, now: Date): readonly Reason[] {
  return [...rehearsalReasonsFor(s, "failure", now), ...rehearsalReasonsFor(s, "recovery", now)];
}

/** When a recovery was not rehearsed as asked, an approver may accept that; asked for by accept-finding. */
export function isRecoveryLacking(s: Snapshot, now: Date): boolean {
  const need = GATE_PROFILES[s.change.profile].recovery;
  return need !== "never" && unmet(s, "recovery", now).length > 0;
}

export function rehearsalReasonsFor(s: Snapshot, kind: "failure" | "recovery", now: Date): readonly Reason[] {
  const profile = GATE_PROFILES[s.change.profile];
  const need = kind === "failure" ? profile.failingTest : profile.recovery;
  if (need === "never" || need === "newest_shown") return [];
  const missing = unmet(s, kind, now);
  if (missing.length === 0) return [];
  const acceptable = need === "approver_accepts" || need.otherwise === "approver_accepts_untested";
  if (kind === "recovery" && acceptable && isLackAccepted(s, "recovery_untested", now)) return [];
  const title = kind === "failure" ? "a failing test was not rehearsed" : "recovery was not rehearsed";
  const next = kind === "recovery" && acceptable ? "link a rehearsal, or an approver accepts it as untested" : "link a rehearsal";
  return missing.map((because) => ({ code: "not_yet" as const, what: `${title}: ${because}`, next }));
}

/** Per class the newest difference, in words. */
function unmet(s: Snapshot, kind: "failure" | "recovery", now: Date): readonly string[] {
  const profile = GATE_PROFILES[s.change.profile];
  const need = kind === "failure" ? profile.failingTest : profile.recovery;
  const needs = typeof need === "string" ? { same: ["type" as const], maxAgeDays: null } : need;
  const links = s.rehearsals.filter((r) => r.kind === kind);
  const found = classesInPlay(s).flatMap((classId) => {
    const plan = rehearsed(s, labelOfClass(s, classId));
    const answers = links.map((link) => doesRehearse(link.finding, needs, plan, now));
    if (answers.some((a) => a.ok)) return [];
    const last = answers.at(-1);
    return [last === undefined || last.ok ? "no rehearsal is linked" : last.error.because];
  });
  return [...new Set(found)];
}

const rehearsed = (s: Snapshot, classLabel: string): RehearsedPlan => ({
  type: s.change.type,
  classLabel,
  targetVersion: s.change.goal.text,
  validateSha: s.change.validateSha,
  commandsSha: s.change.commandsSha,
});
