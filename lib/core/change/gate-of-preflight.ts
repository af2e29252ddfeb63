import { blocks } from "@/lib/core/check/verdict";
import { PREFLIGHT_VALID_MS } from "./gate-profiles";
import type { GateAnswer } from "./gate";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { CheckView, Snapshot } from "./snapshot";

/** The rows of the newest preflight; earlier runs stay in the record and count for nothing. */
export function newestPreflight(s: Snapshot): readonly CheckView[] {
  const rows = s.checks.filter((c) => c.gate === "preflight");
  const newest = Math.max(0, ...rows.map((c) => c.generation));
  return rows.filter((c) => c.generation === newest);
}

/** Every row passes or is waived, and none is older than 12 h (R7.7). */
export function preflightGate(s: Snapshot, _policy: Policy, now: Date): GateAnswer {
  const rows = newestPreflight(s);
  if (rows.length === 0) return [{ code: "not_yet", what: "preflight has not run", next: "run it" }];
  const open = rows.filter((row) => blocks(row, now)).map((row) => checkReason(row, "the change"));
  if (open.length > 0) return open;
  const passedAt = s.change.preflightPassedAt;
  if (passedAt === null) return [{ code: "not_yet", what: "preflight is being judged", next: "wait until it has passed" }];
  if (now.getTime() - passedAt.getTime() > PREFLIGHT_VALID_MS)
    return [{ code: "preflight_old", passedAt, because: "it is valid for 12 hours" }];
  return { at: passedAt };
}

/** A check that blocks, as a reason: failed, unresolved, or not judged yet, which blocks like unresolved. */
export const checkReason = (check: CheckView, on: string): Reason => ({
  code: check.verdict === "fail" ? "check_failed" : "check_unresolved",
  checkId: check.id,
  name: check.name,
  on,
  because: check.verdict === null ? "not judged yet" : check.because,
});
