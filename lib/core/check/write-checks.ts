import type { ChangeId, CheckId, ClassId, TargetId } from "@/lib/core/kernel/ids";
import type { Component } from "@/lib/core/config-state/observation";
import type { Expectation } from "./expectation";
import type { GateId } from "./gate-id";
import type { NewCheck } from "./new-check";
import type { CheckSpec } from "./spec";

/** What the plan lists under `validate` and `telemetry`, as values: this folder does not know plans. */
export type ListedCheck = {
  readonly name: string;
  readonly scope: "node" | "group" | "change";
  readonly groupSize: number | null;
  readonly gate: GateId;
  readonly run: string;
  readonly on: "node" | "head";
  readonly parser: string | null;
  readonly expect: Expectation | null;
  readonly baseline: Readonly<Record<string, Expectation>> | null;
  readonly timeoutMs: number;
};
export type ListedSeries = {
  readonly name: string;
  readonly query: string;
  readonly expect: Expectation;
  readonly seriesPerNode: number;
  readonly freshnessMs: number;
  readonly settleMs: number;
};

export type ChecksInput = {
  readonly changeId: ChangeId;
  readonly target: {
    readonly id: TargetId;
    readonly classId: ClassId;
    readonly role: "canary" | "member";
    readonly aim: "goal" | "prior";
    readonly gpus: number;
  };
  readonly generation: number;
  readonly validate: readonly ListedCheck[];
  readonly telemetry: readonly ListedSeries[];
  readonly goal: { readonly component: Component; readonly text: string };
  /** Version this pass aims at: the goal's, or the saved one; null where a rollback has no saved version. */
  readonly wanted: string | null;
  readonly layers: readonly ("vmss_model" | "instance_model" | "host_report")[];
  /** The locked job of the class; capture: the canary measures its own baseline first (R3.3). */
  readonly job: { readonly id: string; readonly capture: boolean } | null;
};

/**
 * Everything one pass over one node must show, written before its first step (R2.1). A canary and every rollback pass run the acceptance job too
 * (R8.5). A rollback pass does not ask for the version it goes back from: such checks are not applicable, said beforehand.
 */
export function checksFor(input: ChecksInput): readonly NewCheck[] {
  const { target, job } = input;
  const checks: NewCheck[] = [];
  if (job?.capture === true && target.role === "canary" && target.aim === "goal")
    checks.push(nodeCheck(input, "baseline", "baseline runs", { kind: "acceptance", jobId: job.id, purpose: "baseline" }));
  for (const field of input.layers)
    checks.push({
      ...nodeCheck(input, gateOf(input), field.replace(/_/g, " "), {
        kind: "configuration",
        field,
        component: input.goal.component,
        wanted: input.wanted ?? "the version saved before the update",
      }),
      waivable: false,
    });
  for (const listed of input.validate.filter((v) => v.scope === "node")) checks.push(commandCheck(input, listed));
  for (const series of input.telemetry) checks.push(seriesCheck(input, series));
  if (job !== null && (target.role === "canary" || target.aim === "prior"))
    checks.push(
      nodeCheck(input, gateOf(input), "acceptance job", {
        kind: "acceptance",
        jobId: job.id,
        purpose: target.aim === "prior" ? "rollback_acceptance" : "canary",
      }),
    );
  return checks;
}

const gateOf = (input: ChecksInput): GateId => (input.target.role === "canary" ? "canary" : "batches");

/** The id every check has: `<change>/<gate>/<what it is about>/<generation>/<name>`. */
export const checkId = (changeId: ChangeId, gate: GateId, about: string, generation: number, name: string): CheckId =>
  `${changeId}/${gate}/${about}/${generation}/${name}` as CheckId;

const nodeCheck = (input: ChecksInput, gate: GateId, name: string, spec: CheckSpec): NewCheck => ({
  id: checkId(input.changeId, gate, input.target.id, input.generation, name),
  gate,
  scope: "node",
  targetId: input.target.id,
  classId: null,
  batch: null,
  generation: input.generation,
  name,
  spec,
  waivable: true,
  settlesAt: null,
  dueAt: null,
  notApplicableBecause: null,
  members: [],
});

function commandCheck(input: ChecksInput, listed: ListedCheck): NewCheck {
  const { run, on, parser, expect, baseline, groupSize, timeoutMs } = listed;
  const spec: CheckSpec = { kind: "command", run, on, parser, expect, baseline, groupSize, timeoutMs, gpus: input.target.gpus };
  return goneBack(input, nodeCheck(input, gateOf(input), listed.name, spec), expect);
}

function seriesCheck(input: ChecksInput, series: ListedSeries): NewCheck {
  const { query, expect, seriesPerNode, freshnessMs, settleMs } = series;
  const spec: CheckSpec = { kind: "telemetry", query, expect, seriesPerNode, freshnessMs, settleMs };
  return goneBack(input, nodeCheck(input, gateOf(input), series.name, spec), expect);
}

const goneBack = (input: ChecksInput, check: NewCheck, expect: Expectation | null): NewCheck =>
  input.target.aim === "prior" && expect !== null && JSON.stringify(expect).includes(JSON.stringify(input.goal.text))
    ? { ...check, notApplicableBecause: `asks for ${input.goal.text}, which this pass goes back from` }
    : check;
