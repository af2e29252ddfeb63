import type { VerdictReason, VerdictWord } from "@/lib/core/check/verdict";
import type { ConfigBoard } from "@/lib/core/config-state/board";
import type { ChangeId, ClassId, Sha256 } from "@/lib/core/kernel/ids";

export type Finding4 = { readonly verdict: "pass" | "fail" | "unresolved"; readonly reason: VerdictReason; readonly because: string };
/** Row by row against the same row of the baseline; a row without a partner is not comparable. The worst judged row decides; peak and average are only shown (R3.4). */
export type MetricComparison = {
  readonly metric: string;
  /** message size in bytes, 0 where there is none */ readonly bucket: number;
  /** in-place or out-of-place, "" where there is none */ readonly placement: string;
  readonly unit: string;
  readonly baseline: { readonly median: number; readonly spread: number; readonly runs: number };
  readonly measured: { readonly median: number; readonly spread: number; readonly runs: number };
  readonly ratioPct: number;
  readonly warnBelowPct: number;
  readonly failAtOrBelowPct: number;
  readonly judged: boolean;
  readonly verdict: "pass" | "warning" | "fail" | "unresolved";
};
export type AcceptanceReport = {
  readonly changeId: ChangeId;
  readonly classId: ClassId;
  readonly canary: string;
  readonly number: number;
  readonly job: {
    readonly name: string;
    readonly version: number;
    readonly fingerprint: Sha256;
    readonly inputSha: Sha256;
    readonly appVersion: string;
  };
  readonly comparable: Finding4;
  readonly correct: Finding4;
  readonly executed: Finding4;
  readonly compared: Finding4;
  readonly metrics: readonly MetricComparison[];
  readonly undeclared: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  readonly checks: readonly { readonly name: string; readonly verdict: VerdictWord; readonly because: string; readonly waived: boolean }[];
  readonly board: ConfigBoard;
  /** The acceptance check was waived: its unresolved findings are acknowledged at sign-off instead of closing it (R2.7). */
  readonly acceptanceWaived: boolean;
  /** false: the job ran over SSH, because no reservation could be made; acknowledged at sign-off (R3.6). */
  readonly throughScheduler: boolean;
  readonly covers: { readonly classId: ClassId; readonly nodes: number };
  readonly uncovered: readonly { readonly classId: ClassId; readonly nodes: number }[];
};

type ReportInput = {
  readonly changeId: ChangeId;
  readonly classId: ClassId;
  readonly canary: string;
  readonly number: number;
  readonly job: AcceptanceReport["job"];
  /** The four findings of the runs, from `judgeRuns`. */
  readonly found: Pick<AcceptanceReport, "comparable" | "correct" | "executed" | "compared" | "metrics" | "undeclared">;
  readonly checks: AcceptanceReport["checks"];
  readonly acceptanceWaived: boolean;
  readonly throughScheduler: boolean;
  readonly board: ConfigBoard;
  /** Nodes of this change by class: one report answers for its own class only (R3.1). */
  readonly nodesByClass: ReadonlyMap<ClassId, number>;
};

/** The canary record of one class as the reviewer gets it: what was found, and for whom it says nothing. */
export function buildReport(input: ReportInput): AcceptanceReport {
  const { found, nodesByClass, ...rest } = input;
  const nodes = [...nodesByClass].map(([classId, count]) => ({ classId, nodes: count }));
  const { comparable, correct, executed, compared, metrics, undeclared } = found;
  return {
    ...rest,
    comparable,
    correct,
    executed,
    compared,
    metrics,
    undeclared,
    covers: { classId: input.classId, nodes: nodesByClass.get(input.classId) ?? 0 },
    uncovered: nodes.filter((n) => n.classId !== input.classId),
  };
}
