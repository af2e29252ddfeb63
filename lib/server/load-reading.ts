import { notFound } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { type AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import { mayAct } from "@/lib/core/change/may-act";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { sentence } from "@/lib/core/change/sentence";
import { namesOf } from "@/lib/core/change/view/to-change-view";
import { type Expectation } from "@/lib/core/check/expectation";
import { limitOf, sayLimit } from "@/lib/core/check/limit";
import { type CheckSpec } from "@/lib/core/check/spec";
import { type ChangeId } from "@/lib/core/kernel/ids";
import { assertNever } from "@/lib/core/kernel/result";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** One canary record as its second reader sees it: what was read and when, no verdict (R4.5), and why it may not be read now, if so. */
export async function loadReading(id: string, reportId: string | null) {
  const person = await requirePerson(paths.change(id));
  const { deps } = await wired();
  const s = await deps.store.loadSnapshot(id as ChangeId);
  const report = s?.reports.find((one) => one.id === reportId) ?? s?.reports.at(-1);
  if (s === null || report === undefined) notFound();
  const names = namesOf(s);
  const now = await deps.clock.now();
  const states = permittedActions(s, deps.policy(s.change.clusterId), now).filter((one) => one.action === "record-reading");
  const state = states.find((one) => one.on === report.id);
  const may = state === undefined ? null : mayAct(state, person);
  const closed = [
    ...(state === undefined
      ? ["A newer report of this class counts."]
      : state.permitted
        ? []
        : state.because.map((reason) => sentence(reason, names))),
    ...(may === null || may.allowed ? [] : [sentence(may.because, names)]),
  ];
  const evidence = await deps.store.checkEvidence(s.change.id);
  const canary = s.targets.find((target) => target.name === report.body.canary);
  const asked = report.body.checks.map(({ name }) => {
    const check = s.checks.filter((one) => one.targetId === canary?.id && one.name === name).at(-1);
    const job = s.jobs.find((one) => one.classId === report.classId);
    return {
      name,
      asks: check === undefined ? "" : askedIn(check.spec, job?.spec.metrics ?? []),
      evidence: check === undefined ? [] : (evidence.get(check.id) ?? []),
    };
  });
  return { change: s.change, report, asked, closed, people: s.people.map(({ id, name }) => ({ id, name })), now };
}

/** What a check asks for, without what came of it. */
function askedIn(spec: CheckSpec, metrics: AcceptanceJobSpec["metrics"]): string {
  switch (spec.kind) {
    case "command":
      return `${spec.run}, to be ${commandWanted(spec)}`;
    case "telemetry":
      return `${spec.query}, ${spec.seriesPerNode} series, each to be ${said(spec.expect)}`;
    case "acceptance":
      return metrics
        .map((m) => `${m.name} passes ${said(m.fail)}${m.warn === null ? "" : `, without a warning ${said(m.warn)}`}`)
        .join("; ");
    case "configuration":
      return `${spec.component.replaceAll("_", " ")} to be ${spec.wanted}`;
    case "preflight":
      return spec.row.replaceAll("_", " ");
    default:
      return assertNever(spec);
  }
}

function commandWanted({ expect, baseline }: Extract<CheckSpec, { kind: "command" }>): string {
  if (expect !== null) return said(expect);
  const limits = Object.entries(baseline ?? {}).map(([name, limit]) => `${name} ${said(limit)}`);
  return limits.length === 0 ? "ended without an error" : limits.join(", ");
}

/** "above 95 % of the baseline", "570.172.08 every time". */
function said(expectation: Expectation): string {
  const limit = limitOf(expectation);
  if (limit !== null) return `${sayLimit(limit)}${"value" in limit.bound ? "" : " of the baseline"}`;
  if ("every" in expectation) return `${expectation.every} every time`;
  if ("oneOf" in expectation) return `one of ${expectation.oneOf.join(", ")}`;
  if ("equals" in expectation) return expectation.equals;
  return "notAbove" in expectation ? "not above what it was before" : "absent";
}
