import { buildReport, type AcceptanceReport } from "@/lib/core/acceptance/report";
import { blocks } from "@/lib/core/check/verdict";
import { newestReport } from "@/lib/core/change/class-in-play";
import type { Move } from "@/lib/core/change/move";
import { canariesOf } from "@/lib/core/change/sign-off-rules";
import type { CheckView, LockedJob } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import type { ClassId } from "@/lib/core/kernel/ids";
import { runsOf } from "./acceptance-runs";
import { judgeAcceptance } from "./judge-evidence";
import { checksOf, type Look } from "./look";

/**
 * Freezes the canary record of a class when the last of its canaries is on its way back: all its checks are judged and still at hand (R4.3). A canary
 * that goes through again makes a new record, and what was signed for the old one stops counting.
 */
export function freezeReports(look: Look): readonly Move[] {
  return look.s.jobs.flatMap((job): readonly Move[] => {
    const canaries = canariesOf(look.s, job.classId);
    if (canaries.length === 0 || !canaries.every((t) => t.step === "accepted" || t.step === "returning")) return [];
    const back = canaries.find((t) => t.step === "returning" && t.aim === "goal");
    const last = newestReport(look.s, job.classId);
    if (back === undefined || (last !== null && last.createdAt >= back.since)) return [];
    const report = reportOf(look, back, job, (last?.number ?? 0) + 1);
    return report === null ? [] : [{ move: "report", report }];
  });
}

function reportOf(look: Look, t: Target, job: LockedJob, number: number): AcceptanceReport | null {
  const checks = checksOf(look, t);
  const acceptance = checks.find((c) => c.spec.kind === "acceptance");
  if (acceptance === undefined || t.board === null) return null;
  const keys = new Set(runsOf(look, t, acceptance).map((c) => c.key as string));
  const runs = look.s.runs.filter((r) => r.commandKey !== null && keys.has(r.commandKey));
  const { spec, fingerprint, baseline } = job;
  return buildReport({
    changeId: look.s.change.id,
    classId: t.classId,
    canary: t.name,
    number,
    job: {
      name: spec.name,
      version: spec.version,
      fingerprint,
      inputSha: (runs[0]?.inputSha ?? baseline?.inputSha ?? "") as typeof fingerprint,
      appVersion: spec.applicationVersion,
    },
    found: judgeAcceptance(look, t, acceptance, job),
    checks: checks.map((c) => rowOf(c, look)),
    acceptanceWaived: isWaived(acceptance, look),
    throughScheduler: runs.length > 0 && runs.every((r) => r.execution?.throughScheduler === true),
    board: t.board,
    nodesByClass: nodesByClass(look),
  });
}

const isWaived = (c: CheckView, look: Look): boolean => c.verdict === "unresolved" && !blocks(c, look.now);
/** A check without a verdict does not get this far; should one, it is shown as unresolved, never left out. */
const rowOf = (c: CheckView, look: Look): AcceptanceReport["checks"][number] => ({
  name: c.name,
  verdict: c.verdict ?? "unresolved",
  because: c.verdict === null ? "not judged" : c.because,
  waived: isWaived(c, look),
});

function nodesByClass(look: Look): ReadonlyMap<ClassId, number> {
  const counts = new Map<ClassId, number>();
  for (const t of look.s.targets) counts.set(t.classId, (counts.get(t.classId) ?? 0) + 1);
  return counts;
}
