import type { ActionView, ChangeView } from "@/lib/core/change/view/change-view";

type Inputs = Readonly<Record<string, (view: ChangeView, action: ActionView) => object>>;

/** What a crew without doubts writes into each form. Whoever tests doubts says so instead. */
export const CREW_INPUTS: Inputs = {
  "lock-job": (view) => ({ jobs: view.classes.map((one) => ({ class: one.label, job: jobFor(one.label), baseline: "capture" })) }),
  "approve-plan": (view) => ({
    reason: "read the plan and its preview",
    accepts: view.findings.filter((finding) => finding.closedAt === null && finding.acceptedBy === "approver").map((finding) => finding.id),
  }),
  "accept-finding": () => ({ reason: "known and accepted" }),
  "sign-off": (view, action) => ({ reason: "four findings read", acknowledges: warningsOf(view, action.on) }),
  "record-reading": (view) => ({ answers: answersOf(view), comment: "" }),
  decide: () => ({ reason: "the others may go on", choice: "go_on", earlier: "keep" }),
  close: (view) => ({
    reason: "every node is where the record says",
    out: view.targets
      .filter((target) => target.needsInvestigation)
      .map((target) => ({ node: target.name, owner: "DV", ticket: "HW-1", reason: "handed over" })),
  }),
  resume: () => ({ reason: "looked at it, going on" }),
};

const jobFor = (label: string): string => `nccl-${label.split("-")[0] ?? "node"}@1`;

/** Warnings of a report have to be acknowledged by name. */
function warningsOf(view: ChangeView, report: string | null): string[] {
  const found = view.reports.find((one) => one.id === report);
  return [...new Set((found?.metrics ?? []).filter((metric) => metric.verdict === "warning").map((metric) => metric.metric))];
}

/** The second reader's answers when the record is read right; made from what the record shows, as a reader would. */
function answersOf(view: ChangeView): object {
  const canary = view.targets.find((target) => target.role === "canary");
  const layers = Object.fromEntries(Object.entries(canary?.configuration ?? {}).map(([field, fact]) => [field, fact.verdict]));
  const checks = Object.fromEntries(
    view.checks
      .filter((check) => check.on === canary?.name && check.generation === canary.generation)
      .map((check) => [check.name, check.verdict ?? "waiting"]),
  );
  return { layers, checks, acceptedOn: "accepted", nextAction: view.nextAction.action ?? "", decides: view.people.decisionOwner?.id ?? "" };
}
