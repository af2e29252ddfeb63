import type { Move } from "@/lib/core/change/move";
import type { CheckView } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { undeclaredChanges } from "@/lib/core/check/comparable";
import { runsOf } from "./acceptance-runs";
import { baselineRows, DECLARED } from "./judge-evidence";
import type { Look } from "./look";

/**
 * What the output of a check shows that no step of this change does: a driver library replaced under its loaded module, a version that differs from the
 * baseline's. Found once per node, pass and thing; it blocks the next batch until an approver has accepted it with a reason (R3.4).
 */
export function outsidePlan(look: Look, t: Target, check: CheckView): readonly Move[] {
  const reading = runsOf(look, t, check).at(-1)?.outcome?.reading;
  if (check.spec.kind !== "command" || reading === undefined) return [];
  const declared = DECLARED[look.s.change.type];
  const pending = reading.understood === "did_not_run" ? reading.problems.filter((p) => p.reason === "before_reboot") : [];
  const versions = baselineRows(look, check, t, reading.conditions)?.versions ?? {};
  return [
    ...(t.updateBegan && declared.includes("driver") ? [] : pending.map((p) => ({ what: "driver library", because: p.because }))),
    ...undeclaredChanges(reading.versions, versions, declared).map(({ what, before, after }) => ({
      what,
      because: `undeclared change: ${what} ${before} to ${after}`,
    })),
  ].flatMap(({ what, because }): readonly Move[] => {
    const key = `outside_plan/${t.id}/${t.generation}/${what}`;
    if (look.s.findings.some((f) => f.key === key)) return [];
    const says = `change outside the plan on ${t.name}: ${because}; no step of this change does that`;
    return [{ move: "finding", kind: "outside_plan", key, on: t.subjectId, because: says, blocks: true, acceptedBy: "approver" }];
  });
}
