import { describe, expect, it } from "vitest";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { PREFLIGHT_ROWS, type PreflightRow } from "@/lib/core/check/spec";
import { aPreflight } from "@/lib/testing/a-check";
import { NOW, at } from "@/lib/testing/a-moment";
import { aPlan } from "@/lib/testing/a-plan";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aTarget, aValue } from "@/lib/testing/a-target";
import { Policy } from "./policy";
import { judgePreflightRow, NOT_CHECKED, preflightChecks } from "./preflight";
import type { Snapshot } from "./snapshot";

const policy = Policy.parse({});
const series = (count: number, error: string | null = null) => ({
  "remapped rows": {
    now: {
      observationId: 7,
      query: "q",
      readAt: NOW.toISOString(),
      up: 1,
      warnings: [],
      samples: Array.from({ length: count }, (_, i) => ({ entity: String(i), labels: {}, text: "0", sampledAt: NOW.toISOString() })),
      error,
    },
    before: null,
  },
});
const nodes = (count = 8, error: string | null = null) =>
  [1, 2, 3].map((n) => aTarget(n, { service: aValue(aService(), NOW, [n]), series: series(n === 3 ? count : 8, error) }));
const ready = (overrides: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({ targets: nodes(), ...overrides, change: { state: "PREFLIGHT", startedAt: null, ...overrides.change } });
const judge = (row: PreflightRow, s: Snapshot) => judgePreflightRow(row, s, policy, NOW);

describe("preflight (R7.7)", () => {
  it("writes every row one generation above the last, and says beforehand what does not apply", () => {
    const rows = preflightChecks(ready({ plan: aPlan({ leafRule: { apply: false, because: "one flat switch" } }) }), NOW);
    expect(rows).toHaveLength(PREFLIGHT_ROWS.length);
    expect(rows.every((r) => r.generation === 2)).toBe(true);
    expect(rows.find((r) => r.spec.kind === "preflight" && r.spec.row === "topology")?.notApplicableBecause).toContain("one flat switch");
  });
  it("everything there: every row passes and rests on something", () => {
    for (const row of PREFLIGHT_ROWS) {
      const judged = judge(row, ready());
      expect([row, judged?.verdict]).toEqual([row, "pass"]);
      expect(judged?.rests.record ?? "").not.toBe("");
    }
  });
  it("names what this version does not check", () => expect(NOT_CHECKED).toHaveLength(8));

  const rows: readonly [string, PreflightRow, Snapshot, string | null, string][] = [
    [
      "the scheduler did not answer last",
      "scheduler",
      ready({ sources: [{ source: "slurm", confirmsAt: at(-5), failedAt: at(-1), reason: "refused" }] }),
      "unresolved",
      "refused",
    ],
    [
      "the scheduler's list is old: wait for the next",
      "scheduler",
      ready({ sources: [{ source: "slurm", confirmsAt: at(-5), failedAt: null, reason: null }] }),
      null,
      "",
    ],
    [
      "S6: a node drained by others is withheld, not a failure",
      "nodes",
      ready({ others: [{ name: "gpu001", gpus: 8, because: "drained_by_other" }] }),
      "pass",
      "withheld will be gpu001 (drained by other)",
    ],
    [
      "a node is in another change's hands",
      "nodes",
      ready({ others: [{ name: "gpu001", gpus: 8, because: "other_change" }] }),
      "fail",
      "gpu001",
    ],
    ["a node has no leaf", "topology", ready({ targets: [aTarget(1, { leaves: [] })] }), "fail", "gpu001 has no leaf"],
    ["one node reports 7 of 8 series", "telemetry_present", ready({ targets: nodes(7) }), "unresolved", "gpu003: 7 of 8 series"],
    ["one query failed", "telemetry_present", ready({ targets: nodes(8, "bad_data") }), "unresolved", "bad_data"],
    ["nothing was read yet: wait", "telemetry_present", ready({ targets: [aTarget(1)] }), null, ""],
    ["no rollback is named", "rollback_source", ready({ plan: aPlan({ rollback: [] }) }), "fail", "names no rollback"],
    ["another change has the hand", "no_other_change", ready({ handOf: "chg-9" as ChangeId }), "fail", "chg-9"],
    ["no window is booked", "window", ready({ windows: [] }), "fail", "no window is booked"],
    [
      "a window that comes is enough",
      "window",
      ready({ windows: [{ id: "w", startsAt: at(60), endsAt: at(90), timezone: "UTC" }] }),
      "pass",
      "1 booked window",
    ],
    ["no rehearsal", "rehearsals", ready({ rehearsals: [] }), "fail", "no rehearsal is linked"],
    [
      "a job is named, never killed",
      "jobs_in_the_way",
      ready({ targets: [aTarget(1, { service: aValue(aService({ jobs: [{ id: "41", user: "ana", endsAt: "no_limit" }] })) })] }),
      "pass",
      "41 of ana on gpu001 until no limit",
    ],
    ["what runs there is not known: wait", "jobs_in_the_way", ready({ targets: [aTarget(1)] }), null, ""],
    [
      "a group check is refused with its reason",
      "scope_supported",
      ready({ plan: aPlan({ validate: aPlan().validate.map((v, i) => (i === 0 ? { ...v, scope: "group" as const, groupSize: 2 } : v)) }) }),
      "fail",
      "checks over a group of nodes are not run by this version",
    ],
    [
      "the profile asks for a fabric validation that nobody gives",
      "scope_supported",
      ready({ plan: aPlan({ validate: [] }) }),
      "fail",
      "fabric validation",
    ],
  ];
  it.each(rows)("%s", (_says, row, s, verdict, because) => {
    const judged = judge(row, s);
    expect(judged?.verdict ?? null).toBe(verdict);
    expect(judged?.because ?? "").toContain(because);
  });
  it("facts that do not come until they are due leave the row unresolved, never passed", () => {
    const waiting = aPreflight({ verdict: null, dueAt: at(-1) });
    expect(judge("jobs_in_the_way", ready({ targets: [aTarget(1)], checks: waiting }))).toMatchObject({
      verdict: "unresolved",
      reason: "no_data",
    });
  });
});
