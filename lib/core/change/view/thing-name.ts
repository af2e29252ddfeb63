import type { ChangeView } from "./change-view";

type Seen = Pick<ChangeView, "checks" | "reports" | "findings" | "decisions" | "obligations" | "windows">;

/** What an action's `on` stands for, as a person would say it. */
export function thingName(view: Seen, action: string, on: string): string {
  if (action === "start-batch" || action === "decide") return /^\d+$/.test(on) ? `batch ${on}` : on;
  const check = view.checks.find((one) => one.id === on);
  if (check !== undefined) return `${check.name} on ${check.on}`;
  const report = view.reports.find((one) => one.id === on);
  if (report !== undefined) return `report ${report.number} of ${report.canary} (${report.class})`;
  const finding = view.findings.find((one) => one.id === on);
  if (finding !== undefined) return clip(finding.because);
  const decision = view.decisions.find((one) => one.id === on);
  if (decision !== undefined) return `${decision.kind.replaceAll("_", " ")} by ${decision.by.name} on ${decidedOn(view, decision.on)}`;
  const owed = view.obligations.find((one) => one.id === on);
  if (owed !== undefined) return `${owed.kind.replaceAll("_", " ")} on ${owed.on}`;
  const booked = view.windows.find((one) => one.id === on);
  if (booked !== undefined) return `window ${booked.startsAt.slice(0, 16).replace("T", " ")} UTC`;
  return on.replaceAll("_", " ");
}

/** "finding 4f1c..." and "check CH-1/..." as what they say; the rest stands for itself. */
export function decidedOn(view: Seen, on: string): string {
  const id = on.slice(on.indexOf(" ") + 1);
  const finding = view.findings.find((one) => one.id === id);
  if (finding !== undefined) return `"${clip(finding.because)}"`;
  const check = view.checks.find((one) => one.id === id);
  if (check !== undefined) return `${check.name} on ${check.on}`;
  const report = view.reports.find((one) => one.id === id);
  return report === undefined ? on : `report ${report.number} of ${report.canary}`;
}

const clip = (text: string): string => (text.length > 90 ? `${text.slice(0, 90)}…` : text);
