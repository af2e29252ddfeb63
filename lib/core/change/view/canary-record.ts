import type { LockedJob, ReportView, Snapshot } from "@/lib/core/change/snapshot";
import { openPoints } from "@/lib/core/acceptance/sign-off";
import type { MetricComparison } from "@/lib/core/acceptance/report";
import { figureText } from "@/lib/core/kernel/figure-text";
import { namesOf } from "./to-change-view";

const FINDINGS = ["comparable", "correct", "executed", "compared"] as const;
/** What has no value is read first, then what fails; a waiver is never among the passes. */
const ORDER = ["Unresolved", "Fail", "Waived", "Pass", "Not applicable"] as const;

type Word = (typeof ORDER)[number];
export type CanaryRecord = {
  readonly id: string;
  readonly number: number;
  readonly canary: string;
  readonly class: string;
  readonly nodes: number;
  readonly fingerprint: string;
  readonly frozenAt: Date;
  /** Classes of this change for which it says nothing (R3.1). */ readonly uncovered: readonly {
    readonly class: string;
    readonly nodes: number;
  }[];
  /** Whether it is the newest of its class; an older one counts no more. */ readonly newest: boolean;
  readonly signed: { readonly by: string; readonly at: Date; readonly reason: string; readonly revoked: boolean } | null;
  readonly open: readonly { readonly name: string; readonly verdict: "fail" | "unresolved"; readonly because: string }[];
  /** First line: what it shows. */ readonly stands: string;
  readonly claim: string;
  readonly job: {
    readonly name: string;
    readonly fingerprint: string;
    readonly inputSha: string;
    readonly application: string;
    readonly repeats: number | null;
    readonly timeLimitMs: number | null;
    readonly judges: readonly string[];
    readonly lockedBy: string | null;
    readonly lockedAt: Date | null;
    readonly baseline: string;
  };
  readonly findings: readonly { readonly name: (typeof FINDINGS)[number]; readonly verdict: string; readonly because: string }[];
  readonly checks: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly word: Word;
    readonly because: string;
    readonly judgedAt: Date | null;
  }[];
  readonly metrics: readonly MetricComparison[];
  readonly undeclared: readonly { readonly what: string; readonly before: string; readonly after: string }[];
};

/** One frozen report as its reviewer reads it (R3, R4.4); null: there is no such report. Nothing is judged here. */
export function canaryRecord(s: Snapshot, reportId: string): CanaryRecord | null {
  const report = s.reports.find(({ id }) => id === reportId);
  if (report === undefined) return null;
  const { body } = report;
  const names = namesOf(s);
  const classOf = (id: number): string => s.classes.find((one) => one.id === id)?.label ?? `class ${id}`;
  const job = s.jobs.find(({ classId }) => classId === report.classId);
  const open = openPoints(body);
  const label = classOf(report.classId);
  return {
    id: report.id,
    number: report.number,
    canary: body.canary,
    class: label,
    nodes: body.covers.nodes,
    fingerprint: report.fingerprint,
    frozenAt: report.createdAt,
    uncovered: body.uncovered.map(({ classId, nodes }) => ({ class: classOf(classId), nodes })),
    newest: s.reports.filter(({ classId }) => classId === report.classId).at(-1)?.id === report.id,
    signed: signedBy(s, report, names.person),
    open,
    stands: standsOf(report, open),
    claim: `With ${s.change.goal.text}, a node of class ${label} gives the same answer as before${limitsOf(job)}.`,
    job: {
      name: `${body.job.name}@${body.job.version}`,
      fingerprint: body.job.fingerprint,
      inputSha: body.job.inputSha,
      application: body.job.appVersion,
      repeats: job?.spec.repeats ?? null,
      timeLimitMs: job?.spec.timeLimitMs ?? null,
      judges: job?.spec.judges ?? [],
      lockedBy: job === undefined ? null : names.person(job.lockedById),
      lockedAt: job?.lockedAt ?? null,
      baseline: baselineText(job),
    },
    findings: FINDINGS.map((name) => ({ name, verdict: body[name].verdict, because: body[name].because })),
    checks: checksOf(s, report),
    metrics: body.metrics,
    undeclared: body.undeclared,
  };
}

function standsOf({ body }: ReportView, open: CanaryRecord["open"]): string {
  const missing = open.filter(({ verdict }) => verdict === "unresolved").length;
  const failed = open.length - missing;
  const worst = body.metrics
    .filter(({ judged }) => judged)
    .reduce<MetricComparison | null>((low, one) => (low === null || one.ratioPct < low.ratioPct ? one : low), null);
  const keeps = worst === null ? "nothing of it was compared" : `its lowest judged row is ${figureText(worst.ratioPct)} % of the baseline`;
  if (open.length === 0) return `${body.canary} is comparable, correct and executed; ${keeps}.`;
  const parts = [...(missing === 0 ? [] : [`${missing} without a value`]), ...(failed === 0 ? [] : [`${failed} failed`])];
  return `${body.canary} is not proven: ${parts.join(", ")} (${open.map(({ name }) => name).join(", ")}); ${keeps}.`;
}

function checksOf(s: Snapshot, { body }: ReportView): CanaryRecord["checks"] {
  const target = s.targets.find(({ name }) => name === body.canary);
  const rows = body.checks.map(({ name, verdict, because, waived }) => {
    const check = s.checks.filter((one) => one.targetId === target?.id && one.name === name).at(-1);
    const word: Word = waived
      ? "Waived"
      : verdict === "pass"
        ? "Pass"
        : verdict === "fail"
          ? "Fail"
          : verdict === "not_applicable"
            ? "Not applicable"
            : "Unresolved";
    return { id: check?.id ?? null, name, word, because, judgedAt: check?.judgedAt ?? null };
  });
  return rows.sort((a, b) => ORDER.indexOf(a.word) - ORDER.indexOf(b.word));
}

function signedBy(s: Snapshot, report: ReportView, person: ReturnType<typeof namesOf>["person"]): CanaryRecord["signed"] {
  const found = s.decisions.filter(({ kind, on }) => kind === "sign_off" && on.what === "report" && on.id === report.id).at(-1);
  return found === undefined ? null : { by: person(found.byId), at: found.at, reason: found.reason, revoked: found.revoked };
}

function limitsOf(job: LockedJob | undefined): string {
  const named = (job?.spec.metrics ?? []).map(({ name }) => name);
  return named.length === 0 ? "" : `, and its ${named.join(" and ")} stays within the locked limits of its recorded baseline`;
}

function baselineText(job: LockedJob | undefined): string {
  if (job === undefined) return "no job is locked";
  if (job.capture) return "captured on the canary before it was changed";
  return job.baseline === null ? "none" : `recorded earlier, ${job.baseline.id}`;
}
