import type { CommandView } from "@/lib/core/change/command";
import type { CheckView, LockedJob } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { judgeReading } from "@/lib/core/check/judge-reading";
import type { BaselineRows } from "@/lib/core/check/judge-limits";
import type { Expectation } from "@/lib/core/check/expectation";
import { differingConditions } from "@/lib/core/check/comparable";
import { parseLimit } from "@/lib/core/check/limit";
import { judgeSeries } from "@/lib/core/check/telemetry";
import type { MaintenanceTypeName } from "@/lib/core/plan/plan";
import { decisionsOf, newest, standsAt } from "@/lib/core/change/decision-rules";
import { jobInForce } from "@/lib/core/change/relaxation";
import { GATE_PROFILES } from "@/lib/core/change/gate-profiles";
import { judgeRuns, type JudgedRuns } from "@/lib/core/acceptance/judge-run";
import type { Judged, VerdictReason } from "@/lib/core/check/verdict";
import type { Sha256 } from "@/lib/core/kernel/ids";
import { runsOf } from "./acceptance-runs";
import type { Look } from "./look";

/** Nothing that may be used: never a pass (R2.3). */
export const unresolvedJudgement = (reason: VerdictReason, because: string): Judged => ({
  verdict: "unresolved",
  reason,
  because,
  facts: {},
  rests: { observations: [] },
});

/**
 * One command's output against its check: its parser's reading where it has one, else the exit code alone (R2.4). Nobody knows how it ended, it never
 * started, or nothing was kept of it: unresolved.
 */
export function judgeOutput(look: Look, check: CheckView, run: CommandView, t: Target | null): Judged {
  const { outcome } = run;
  if (check.spec.kind !== "command") return unresolvedJudgement("tool_error", "it is not a command");
  if (outcome === null || outcome.result === "unknown" || run.state === "cancelled")
    return unresolvedJudgement("timed_out", `nobody can say how it ended: ${outcome?.because ?? "no answer"}`);
  if (outcome.exitCode === undefined || outcome.exitCode === null)
    return unresolvedJudgement("tool_error", `it did not run: ${outcome.because}`);
  if (outcome.outputSha === undefined) return unresolvedJudgement("no_data", "no output was kept");
  const rests = { observations: [], evidence: outcome.outputSha as Sha256 };
  const { expect, baseline, gpus } = check.spec;
  if (outcome.reading !== undefined) {
    const { exitCode, truncated } = outcome;
    // Our own command, started after the reboot of this pass: its output needs no time of its own to be new.
    const context = { gpus, exitCode, truncated, rests, declared: DECLARED[look.s.change.type] };
    const rows = baselineRows(look, check, t, outcome.reading.conditions);
    return judgeReading(outcome.reading, expect, narrowed(look, check.name, baseline), rows, context).judged;
  }
  if (parserOf(check.spec) !== null) return unresolvedJudgement("no_data", "its output was not read");
  if (outcome.truncated === true) return unresolvedJudgement("truncated", "the output went over its limit and was cut");
  const because = `ended with exit code ${outcome.exitCode}`;
  if (outcome.exitCode === 126 || outcome.exitCode === 127) return unresolvedJudgement("tool_error", because);
  return outcome.exitCode === 0
    ? { verdict: "pass", reason: "as_expected", because, facts: {}, rests }
    : { verdict: "fail", reason: "not_as_expected", because, facts: {}, rests };
}

/** Which parser reads the output of a check: the one it names, the vendor's for the vendor's query, plain text where something is expected of it. */
export function parserOf(spec: Extract<CheckView["spec"], { kind: "command" }>): string | null {
  if (spec.parser !== null) return spec.parser;
  if (/\bnvidia-smi\b.*--query-gpu=/.test(spec.run)) return "nvidia-smi";
  return spec.expect === null && spec.baseline === null ? null : "text";
}

/** Versions that the plan itself changes, as tools print their names: a difference in these is declared (R3.4). */
export const DECLARED: Readonly<Record<MaintenanceTypeName, readonly string[]>> = {
  gpu_driver: ["driver"],
  cuda_toolkit: ["cuda"],
  ib_hca_firmware: ["hca_firmware", "firmware"],
  ib_switch_firmware: ["switch_firmware"],
  os_kernel: ["kernel"],
  bmc_firmware: ["bmc_firmware"],
  vmss_image: ["driver", "cuda", "kernel", "nccl", "image", "os"],
};

const rebootOf = (t: Target | null): Date | null => (t !== null && t.bootedAfter.is === "value" ? t.bootedAfter.value : null);

/**
 * A check is measured against the baseline of the class that all its nodes have; without a class in common there is none. Over several nodes the locked
 * one was measured with other ranks: then the newest of the same job that is comparable with what was measured, and older than the lock, so that
 * nothing measured since can lower what is asked (R3.3, R3.4). None is: the locked one, with which it is not comparable.
 */
export function baselineRows(
  look: Pick<Look, "s">,
  check: CheckView,
  t: Target | null,
  conditions: Readonly<Record<string, string>>,
): BaselineRows | null {
  const members = check.members.map((m) => look.s.targets.find((one) => one.subjectId === m.subjectId)?.classId);
  const [classId, ...others] = [...new Set(t === null ? members : [t.classId])];
  if (classId === undefined || others.length > 0) return null;
  const job = look.s.jobs.find((j) => j.classId === classId);
  if (job === undefined) return null;
  const locked = job.baseline?.summary ?? null;
  const isComparable = (rows: BaselineRows): boolean => differingConditions(conditions, rows.conditions).length === 0;
  if (check.scope !== "change" || members.length < 2 || (locked !== null && isComparable(locked))) return locked;
  const earlier = look.s.available
    .filter((a) => a.classId === classId && a.jobId === job.jobId)
    .flatMap((a) => a.baselines)
    .filter((b) => b.retiredAt === null && b.capturedAt <= job.lockedAt && b.appVersion === job.spec.applicationVersion)
    .sort((a, b) => b.capturedAt.getTime() - a.capturedAt.getTime() || (a.id < b.id ? -1 : 1));
  return earlier.find((b) => isComparable(b.summary))?.summary ?? locked;
}

/** Limits as the plan has them, or stricter by a narrowing (R4.2). */
function narrowed(
  look: Look,
  name: string,
  limits: Readonly<Record<string, Expectation>> | null,
): Readonly<Record<string, Expectation>> | null {
  const stricter = (look.s.narrowing.limits ?? [])
    .filter((l) => l.check === name)
    .flatMap((l) => {
      const parsed = parseLimit(l.limit);
      return parsed.ok ? [[parsed.value.name, parsed.value.expectation] as const] : [];
    });
  return stricter.length === 0 ? limits : { ...limits, ...Object.fromEntries(stricter) };
}

/** The newest read of a series taken after it had settled. null: none yet, or one that says nothing while the time for a better one is not over. */
export function judgeTelemetry(look: Look, t: Target, check: CheckView): Judged | null {
  const seen = t.series[check.name];
  if (
    check.spec.kind !== "telemetry" ||
    seen === undefined ||
    seen.now === null ||
    check.settlesAt === null ||
    new Date(seen.now.readAt) < check.settlesAt
  )
    return null;
  const stepEndedAt = new Date(check.settlesAt.getTime() - check.spec.settleMs);
  const judged = judgeSeries(seen.now, seen.before, check.spec, { now: look.now, bootedAt: rebootOf(t), stepEndedAt });
  if (judged === "waiting") return null;
  const mayCome = judged.verdict === "unresolved" && check.dueAt !== null && look.now < check.dueAt;
  return mayCome ? null : judged;
}

/** What the runs of one acceptance check show, against the locked job and its baseline: the four findings, and one verdict (R3.4). */
export function judgeAcceptance(look: Look, t: Target, check: CheckView, job: LockedJob): JudgedRuns {
  const keys = new Set(runsOf(look, t, check).map((c) => c.key as string));
  const runs = look.s.runs.filter((r) => r.commandKey !== null && keys.has(r.commandKey));
  const isBaseline = check.spec.kind === "acceptance" && check.spec.purpose === "baseline";
  const mayLack = GATE_PROFILES[look.s.change.profile].jobAndBaseline === "optional" && job.baseline === null;
  return judgeRuns({
    runs,
    job: jobInForce(look.s, job.spec, look.now),
    baseline: job.baseline,
    compare: !isBaseline && !mayLack,
    className: look.s.classes.find((c) => c.id === t.classId)?.label ?? job.spec.class,
    declared: DECLARED[look.s.change.type],
    requeueJudged: judgementOn(look, check),
    notRun: runs.filter((r) => r.commandKey !== null && hasNotRun(look, r.commandKey)).map((r) => r.id),
  });
}

/** Its parser found no sign of the tool in what was printed. */
const hasNotRun = (look: Look, key: string): boolean => look.byKey.get(key)?.outcome?.reading?.understood === "did_not_run";

/** A named person's word on a requeue or a difference (R3.4). */
function judgementOn(look: Look, check: CheckView): { readonly accepted: boolean; readonly because: string } | null {
  const given = newest(decisionsOf(look.s, "judgement", check.id).filter((d) => standsAt(d, look.now)));
  return given === null ? null : { accepted: given.choice.startsWith("accept"), because: given.reason };
}
