import type { NewCheck } from "@/lib/core/check/new-check";
import { PREFLIGHT_ROWS, type PreflightRow } from "@/lib/core/check/spec";
import type { Judged } from "@/lib/core/check/verdict";
import { checkId } from "@/lib/core/check/write-checks";
import { isJobOptional } from "./gate-before-touch";
import { GATE_PROFILES } from "./gate-profiles";
import { newestPreflight } from "./gate-of-preflight";
import type { Policy } from "./policy";
import { judgeNodes, judgeJobs, judgeScheduler, judgeTelemetry, judgeTopology } from "./preflight-facts";
import {
  judgeApprovals,
  judgeBaseline,
  judgeOtherChange,
  judgeRehearsals,
  judgeRollbackSource,
  judgeScope,
  judgeSpacing,
  judgeWindow,
} from "./preflight-record";
import type { Snapshot } from "./snapshot";

/** What R7.7 names and this version does not look at: shown with every preflight, so that nobody takes silence for a pass. */
export const NOT_CHECKED: readonly string[] = [
  "fabric: state of switches, ports and the subnet manager",
  "space on /boot for the next kernel",
  "DKMS modules built for the next kernel",
  "critical alerts on targets, fabric and scheduler",
  "that the alert pipeline itself is alive",
  "compatibility matrix of driver, firmware and library versions",
  "other controllers in charge: kured, GPU operator upgrades, unattended upgrades, a running scale-set upgrade",
  "protection from suspend and scale-in",
];

/** null: the evidence is not there yet, the row waits until it is due. */
type RowRule = (s: Snapshot, policy: Policy, now: Date) => Judged | null;

const ROW_RULES = {
  scheduler: judgeScheduler,
  nodes: judgeNodes,
  topology: judgeTopology,
  telemetry_present: judgeTelemetry,
  rollback_source: judgeRollbackSource,
  baseline: judgeBaseline,
  no_other_change: judgeOtherChange,
  ["window"]: judgeWindow,
  spacing: judgeSpacing,
  approvals: judgeApprovals,
  rehearsals: judgeRehearsals,
  jobs_in_the_way: judgeJobs,
  scope_supported: judgeScope,
} as const satisfies Record<PreflightRow, RowRule>;

const ROW_NAMES = {
  scheduler: "scheduler answers",
  nodes: "nodes healthy and held by nobody",
  topology: "every node has its leaves",
  telemetry_present: "required telemetry present",
  rollback_source: "rollback named for every component",
  baseline: "baseline that later gates need",
  no_other_change: "no other change in hand",
  ["window"]: "window booked and long enough",
  spacing: "spacing and freezes kept",
  approvals: "plan approved",
  rehearsals: "rehearsals as the profile asks",
  jobs_in_the_way: "jobs in the way named",
  scope_supported: "every check can be run by this version",
} as const satisfies Record<PreflightRow, string>;

/** How long a row may wait for facts before it is unresolved. */
const DUE_MS = 10 * 60_000;

/** The verdict of one row from the record as it stands; null while its facts have not arrived and are not due yet (R2.1, R7.7). */
export function judgePreflightRow(row: PreflightRow, s: Snapshot, policy: Policy, now: Date): Judged | null {
  const judged = ROW_RULES[row](s, policy, now);
  if (judged !== null) return judged;
  const check = newestPreflight(s).find((c) => c.spec.kind === "preflight" && c.spec.row === row);
  if (check === undefined || check.dueAt === null || now < check.dueAt) return null;
  return {
    verdict: "unresolved",
    reason: "no_data",
    because: `no complete answer arrived until ${check.dueAt.toISOString()}`,
    facts: {},
    rests: { observations: [] },
  };
}

/** A fresh set of rows, one generation above the last; what does not apply is said here, beforehand (R2.1). */
export function preflightChecks(s: Snapshot, now: Date): readonly NewCheck[] {
  const generation = 1 + Math.max(0, ...newestPreflight(s).map((c) => c.generation));
  return PREFLIGHT_ROWS.map((row) => ({
    id: checkId(s.change.id, "preflight", "change", generation, ROW_NAMES[row]),
    gate: "preflight",
    scope: "change",
    targetId: null,
    classId: null,
    batch: null,
    generation,
    name: ROW_NAMES[row],
    spec: { kind: "preflight", row },
    waivable: row !== "topology" && row !== "scope_supported" && row !== "approvals",
    settlesAt: null,
    dueAt: new Date(now.getTime() + DUE_MS),
    notApplicableBecause: notApplicable(row, s),
    members: [],
  }));
}

function notApplicable(row: PreflightRow, s: Snapshot): string | null {
  const profile = GATE_PROFILES[s.change.profile];
  const byProfile = `not asked for by profile ${s.change.profile}`;
  switch (row) {
    case "topology":
      return s.plan.leafRule.apply ? null : `the plan says that no leaf rule applies: ${s.plan.leafRule.because}`;
    case "telemetry_present":
      return s.plan.telemetry.length === 0 ? "the plan asks for no telemetry" : null;
    case "baseline":
      return isJobOptional(s) ? byProfile : null;
    case "rehearsals":
      return profile.failingTest === "never" && profile.recovery === "never" ? byProfile : null;
    case "window":
    case "spacing":
      return profile.start === "nothing" ? byProfile : null;
    default:
      return null;
  }
}
