import type { RecordAnswers } from "@/lib/core/acceptance/second-reading";
import { CONFIG_FIELDS } from "@/lib/core/config-state/observation";
import { decisionsOf } from "./decision-rules";
import { nextAction } from "./next-action";
import type { Policy } from "./policy";
import { signOffOf } from "./sign-off-rules";
import type { ReportView, Snapshot } from "./snapshot";

/** What the record answers to the five questions about one report, at the moment it is read (R4.5). */
export function readingTruth(s: Snapshot, report: ReportView, policy: Policy, now: Date): RecordAnswers {
  const next = nextAction(s, policy, now);
  const signed = signOffOf(s, report.classId, now) !== null;
  const rejected = decisionsOf(s, "rejection", report.id).some((d) => !d.revoked);
  const decider = s.change.people.decisionOwner ?? s.change.ownerId;
  const action = next.by === "person" ? next.action : next.by;
  return {
    layers: Object.fromEntries(CONFIG_FIELDS.map((field) => [field, report.body.board.now[field].verdict])),
    checks: Object.fromEntries(report.body.checks.map((c) => [c.name, c.verdict])),
    acceptedOn: signed ? "accepted" : rejected ? "not_accepted" : "open",
    // The reading itself is not what the reader is asked about: then it is what comes after it.
    nextActions: action === "record-reading" ? [action, signed ? "start-batch" : "sign-off"] : [action],
    deciders: [decider, ...s.people.filter((p) => p.id === decider).map((p) => p.name)],
  };
}
