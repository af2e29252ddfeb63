import type { Judged } from "@/lib/core/check/verdict";
import { approvalInForce } from "./approval";
import { batchEstimateMs } from "./estimate";
import { approvalGate, baselineGate } from "./gate-before-touch";
import { GATE_PROFILES } from "./gate-profiles";
import type { Policy } from "./policy";
import { failed, passed } from "./preflight-judged";
import type { Reason } from "./reason";
import { rehearsalReasons } from "./rehearsal-need";
import { sentence } from "./sentence";
import type { Snapshot } from "./snapshot";
import { freezeReasons, nextOpening, openWindow, spacingReasons, timeReasons } from "./start-conditions";
import { validationWanted } from "./validation-wanted";

/** Every component has a named way back, or an approver accepted that it has none (R8.3). Whether its source can be fetched is read per node before its drain. */
export function judgeRollbackSource(s: Snapshot): Judged {
  if (s.plan.rollback.length === 0)
    return s.change.purpose === "rehearsal" ? passed("a rehearsal may go without", { rollback: [] }) : failed("the plan names no rollback");
  const nameless = s.plan.rollback.filter((c) => c.capability !== "impossible" && c.run === null && s.plan.type !== "vmss_image");
  if (nameless.length > 0) return failed(`no rollback command for ${nameless.map((c) => c.name).join(", ")}`);
  const text = s.plan.rollback.map((c) => `${c.name}: ${c.capability}`).join(", ");
  const accepted = s.findings.filter((f) => f.kind === "plan" && f.key.includes("rollback_"));
  const open = accepted.filter((f) => f.closedAt === null);
  if (open.length > 0) return failed(`not accepted yet: ${open.map((f) => f.because).join("; ")}`);
  const by = accepted.length === 0 ? "" : `; accepted: ${accepted.map((f) => f.because).join("; ")}`;
  return passed(text + by, { rollback: s.plan.rollback, accepted: accepted.map((f) => f.id) });
}

export function judgeBaseline(s: Snapshot, policy: Policy, now: Date): Judged {
  const answer = baselineGate(s, policy, now);
  if ("notAsked" in answer) return passed(answer.notAsked, { profile: s.change.profile });
  if (isReasons(answer)) return failed(words(s, answer));
  return passed(
    s.jobs
      .map((job) => `${job.jobId}: ${job.capture ? "captured by the canary before its update" : `baseline ${job.baseline?.id}`}`)
      .join(", "),
    { jobs: s.jobs.map((job) => ({ jobId: job.jobId, baseline: job.baseline?.id ?? null, capture: job.capture })) },
  );
}

export const judgeOtherChange = (s: Snapshot): Judged =>
  s.handOf === null
    ? passed("nobody else has nodes of this cluster in hand", { handOf: null })
    : failed(`change ${s.handOf} has nodes of this cluster in hand`);

/** A booked window that is open or still to come and holds the longest batch; an emergency shows what it overrides (R11.2, R11.4). */
export function judgeWindow(s: Snapshot, policy: Policy, now: Date): Judged {
  const needMs = batchEstimateMs(s);
  if (GATE_PROFILES[s.change.profile].start !== "window_spacing_freeze") {
    const open = timeReasons(s, policy, now);
    return passed(open.length === 0 ? "the notice has run" : `overridden by the emergency; ${words(s, open)}`, {
      announcedAt: s.announcedAt,
    });
  }
  const fits = s.windows.filter((w) => w.endsAt > now && w.endsAt.getTime() - Math.max(w.startsAt.getTime(), now.getTime()) > needMs);
  if (fits.length > 0)
    return passed(`${fits.length} booked ${fits.length === 1 ? "window holds" : "windows hold"} a batch`, { windows: fits, needMs });
  const left = s.windows.filter((w) => w.endsAt > now);
  return failed(left.length === 0 ? "no window is booked" : `no booked window holds a batch of ${needMs / 60_000} min`);
}

/** Spacing and freezes at the moment it may start: now, or when the next window opens (R11.3). */
export function judgeSpacing(s: Snapshot, policy: Policy, now: Date): Judged {
  if (GATE_PROFILES[s.change.profile].start !== "window_spacing_freeze")
    return passed("overridden by the emergency", { lastMaintenance: s.lastMaintenance });
  const start = openWindow(s, now) === null ? (nextOpening(s, now) ?? now) : now;
  const reasons = [...spacingReasons(s, policy, start), ...freezeReasons(s, start, new Date(start.getTime() + batchEstimateMs(s)))];
  return reasons.length > 0 ? failed(words(s, reasons)) : passed("kept", { start, lastMaintenance: s.lastMaintenance, freezes: s.freezes });
}

export function judgeApprovals(s: Snapshot, policy: Policy, now: Date): Judged {
  const answer = approvalGate(s, policy, now);
  if (isReasons(answer)) return failed(words(s, answer));
  const approval = approvalInForce(s, now);
  const by = approval.inForce ? (s.people.find((p) => p.id === approval.byId)?.name ?? approval.byId) : "nobody";
  return passed(`approved by ${by}`, { approval, fingerprint: s.change.planFingerprint });
}

export function judgeRehearsals(s: Snapshot, _policy: Policy, now: Date): Judged {
  const reasons = rehearsalReasons(s, now);
  if (reasons.length > 0) return failed(words(s, reasons));
  return passed(s.rehearsals.length === 0 ? "none asked for" : s.rehearsals.map((r) => r.finding.text).join("; "), {
    rehearsals: s.rehearsals.map((r) => r.rehearsalId),
  });
}

/** What this version cannot run is refused here, before anything is touched, never skipped later. */
export function judgeScope(s: Snapshot): Judged {
  const group = s.plan.validate.filter((v) => v.scope === "group");
  if (group.length > 0)
    return failed(
      `${group.map((v) => `"${v.name}"`).join(", ")}: checks over a group of nodes are not run by this version; give them scope node or change`,
    );
  const away = [...s.plan.update, ...s.plan.rollback].filter((c) => c.on === "switch" || c.on === "bmc");
  if (away.length > 0)
    return failed(`${away.map((c) => `"${c.name}"`).join(", ")}: commands on ${away[0]?.on} are not run by this version`);
  const missing = validationWanted(s).filter((gate) => !s.plan.validate.some((v) => v.scope === "change" && v.gate === gate));
  if (missing.length > 0)
    return failed(
      `${missing.map((g) => g.replace("_", " ")).join(" and ")}: asked for by the profile and given neither by the plan nor by the type`,
    );
  const early = s.change.type === "vmss_image" ? failed("scale-set images are not applied by this version") : null;
  return (
    early ??
    passed("every check has node or change scope", { checks: s.plan.validate.map((v) => ({ name: v.name, scope: v.scope, gate: v.gate })) })
  );
}

const isReasons = (answer: unknown): answer is readonly Reason[] => Array.isArray(answer);
const words = (s: Snapshot, reasons: readonly Reason[]): string =>
  reasons.map((r) => sentence(r, { person: (id) => s.people.find((p) => p.id === id)?.name ?? id })).join(" ");
