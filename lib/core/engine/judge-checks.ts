import { decisionsOf } from "@/lib/core/change/decision-rules";
import type { Move } from "@/lib/core/change/move";
import type { CheckView } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import type { Judged } from "@/lib/core/check/verdict";
import { isOver, isRunOut, runsOf } from "./acceptance-runs";
import { judgeAcceptance, judgeOutput, judgeTelemetry, unresolvedJudgement } from "./judge-evidence";
import { baselineCheckOf, checksOf, jobOf, lastOf, standing, type Look } from "./look";
import { outsidePlan } from "./outside-plan";
import { isProbed } from "./step-observing";

const JUDGED_IN: ReadonlySet<string> = new Set(["measuring", "observing", "validating", "unresolved"]);

/** Verdicts of everything whose evidence has come, or whose time to come is over. A check that was judged stays as it is until somebody asks again. */
export function judgeChecks(look: Look): readonly Move[] {
  return look.s.targets.flatMap((t) => {
    if (!JUDGED_IN.has(t.step)) return [];
    const baseline = t.step === "measuring" ? baselineCheckOf(look, t) : null;
    const checks = t.step === "measuring" ? (baseline === null ? [] : [baseline]) : checksOf(look, t);
    return checks.flatMap((check): readonly Move[] => {
      const judged = check.verdict === null || isJudgedByPerson(look, check) ? judge(look, t, check) : null;
      return judged === null ? [] : [{ move: "judge", checkId: check.id, judged }, ...outsidePlan(look, t, check)];
    });
  });
}

/** A named person has judged its requeue since the verdict (R3.4). */
const isJudgedByPerson = (look: Look, check: CheckView): boolean =>
  check.verdict === "unresolved" &&
  check.reason === "requeued" &&
  decisionsOf(look.s, "judgement", check.id).some((d) => !d.revoked && check.judgedAt !== null && d.at > check.judgedAt);

/** null: waiting, which is no verdict (R2.1). */
function judge(look: Look, t: Target, check: CheckView): Judged | null {
  switch (check.spec.kind) {
    case "configuration":
      return judgeLayer(look, t, check, check.spec.field);
    case "telemetry":
      return judgeTelemetry(look, t, check) ?? overdue(look, check, "no usable read arrived in time");
    case "command": {
      const run = runsOf(look, t, check).at(-1);
      return run === undefined || !isOver(run, look) ? null : judgeOutput(look, check, run, t);
    }
    case "acceptance":
      return judgeRuns(look, t, check);
    case "preflight":
      return null;
  }
}

/**
 * A layer agrees as soon as a read of this step says so. Another version fails only when the time for it to appear is over, and one nobody could read
 * is unresolved then; from an unresolved node nothing is failed by itself.
 */
function judgeLayer(look: Look, t: Target, check: CheckView, field: string): Judged | null {
  const row = t.aim === "prior" ? t.board?.afterRollback : t.board?.now;
  const match = row?.[field as keyof typeof row];
  if (!isProbed(look, t)) return overdue(look, check, "the host could not be asked");
  if (match === undefined || match === null) return overdue(look, check, "nothing was read");
  if (match.verdict === "not_applicable") return unresolvedJudgement("no_data", `nothing to compare: ${match.because}`);
  const cites = match.known.is === "value" ? match.known.cites : [];
  const rests = { observations: cites };
  if (match.verdict === "matches" && match.known.is === "value")
    return { verdict: "pass", reason: "as_expected", because: `${check.name}: ${match.known.value}`, facts: {}, rests };
  if (check.dueAt === null || look.now < check.dueAt || t.step === "unresolved") return null;
  if (match.known.is === "value")
    return { verdict: "fail", reason: "not_as_expected", because: `${match.known.value} instead of ${match.wanted}`, facts: {}, rests };
  const reason =
    match.known.because === "sources_disagree" ? "sources_disagree" : match.known.because === "before_reboot" ? "before_reboot" : "no_data";
  return unresolvedJudgement(reason, `${check.name} is unknown: ${match.known.because.replace(/_/g, " ")}`);
}

const overdue = (look: Look, check: CheckView, because: string): Judged | null =>
  check.dueAt !== null && look.now >= check.dueAt ? unresolvedJudgement("timed_out", because) : null;

function judgeRuns(look: Look, t: Target, check: CheckView): Judged | null {
  const job = jobOf(look, t);
  if (job === null) return unresolvedJudgement("no_data", "its class has no locked acceptance job any more");
  const reserve = lastOf(look, t, "reserve");
  const how = reserve === null ? "running" : standing(reserve, look);
  if (runsOf(look, t, check).length === 0)
    return how === "unknown" || how === "late"
      ? unresolvedJudgement("timed_out", `nobody can say whether its reservation was made: ${reserve?.outcome?.because ?? "no answer"}`)
      : null;
  return isRunOut(look, t, check, job) ? judgeAcceptance(look, t, check, job).judged : null;
}
