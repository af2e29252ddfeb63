import { figureText } from "@/lib/core/kernel/figure-text";
import type { AcceptanceReport, Finding4 } from "./report";

/** Something that does not close a sign-off but has to be acknowledged by its code when signing (R3.4-R3.6). */
type ReportWarning = { readonly code: string; readonly text: string };

const FINDING_NAMES = ["comparable", "correct", "executed", "compared"] as const;

export function warningsOf(report: AcceptanceReport): readonly ReportWarning[] {
  const metrics = report.metrics
    .filter((m) => m.verdict === "warning")
    .map((m) => ({
      code: `metric/${m.metric}/${m.bucket}/${m.placement}`,
      text: `${m.metric} ${figureText(m.measured.median)} ${m.unit} is ${m.ratioPct.toFixed(2)} % of the baseline, not above ${m.warnBelowPct} %: would fail fabric validation`,
    }));
  const undeclared = report.undeclared.map((u) => ({
    code: `undeclared/${u.what}`,
    text: `undeclared change: ${u.what} ${u.before} to ${u.after}`,
  }));
  const waived = report.checks
    .filter((c) => c.waived)
    .map((c) => ({ code: `waived/${c.name}`, text: `check "${c.name}" was waived: ${c.because}` }));
  const lacking = report.acceptanceWaived
    ? FINDING_NAMES.filter((name) => report[name].verdict === "unresolved").map((name) => ({
        code: `waived/${name}`,
        text: `${name} is unresolved and was waived: ${report[name].because}`,
      }))
    : [];
  const path = report.throughScheduler ? [] : [{ code: "scheduler_path", text: "the scheduler path was not exercised" }];
  return [...metrics, ...undeclared, ...waived, ...lacking, ...path];
}

/** The four findings that do not pass, and the checks that are neither passed nor waived: each closes the sign-off. */
export function openPoints(
  report: AcceptanceReport,
): readonly { readonly name: string; readonly verdict: "fail" | "unresolved"; readonly because: string }[] {
  const findings = FINDING_NAMES.map((name) => ({ name, finding: report[name] })).flatMap(({ name, finding }) =>
    report.acceptanceWaived && finding.verdict === "unresolved" ? [] : asPoint(name, finding),
  );
  const checks = report.checks.flatMap((c) =>
    c.verdict === "pass" || c.verdict === "not_applicable" || (c.verdict === "unresolved" && c.waived)
      ? []
      : [{ name: c.name, verdict: c.verdict, because: c.because }],
  );
  return [...findings, ...checks];
}

const asPoint = (name: string, finding: Finding4): readonly { name: string; verdict: "fail" | "unresolved"; because: string }[] =>
  finding.verdict === "pass" ? [] : [{ name, verdict: finding.verdict, because: finding.because }];
