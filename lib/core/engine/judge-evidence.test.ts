import { describe, expect, it } from "vitest";
import type { Baseline } from "@/lib/core/acceptance/baseline";
import type { ClassId } from "@/lib/core/kernel/ids";
import { aCheck } from "@/lib/testing/a-check";
import { aBaseline, aLockedJob } from "@/lib/testing/a-job";
import { at } from "@/lib/testing/a-moment";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { baselineRows } from "./judge-evidence";

describe("a check over several nodes is measured against the baseline of their class (R3.1, R3.5)", () => {
  const other = aBaseline({ id: "baseline-2", classId: 2 });
  const s = aSnapshot({
    jobs: [aLockedJob(), aLockedJob({ classId: 2 as ClassId, baseline: other })],
    targets: [aTarget(1), aTarget(2), aTarget(3, { classId: 2 as ClassId })],
  });
  const over = (...nodes: number[]) =>
    baselineRows(
      { s },
      aCheck({
        scope: "change",
        targetId: null,
        members: nodes.map((n) => ({ subjectId: aTarget(n).subjectId, part: "member" as const })),
      }),
      null,
      { ranks: "8" },
    );

  it("of one class, though the change has two", () => {
    expect(over(1, 2)).toBe(s.jobs[0]?.baseline?.summary);
    expect(over(3)).toBe(other.summary);
  });

  it("of two classes, of nobody, or of a node that the change does not know: there is none", () => {
    expect([over(1, 3), over(), over(1, 9)]).toEqual([null, null, null]);
  });

  it("a node's own check keeps to the node's class", () => {
    expect(baselineRows({ s }, aCheck(), aTarget(3, { classId: 2 as ClassId }), {})).toBe(other.summary);
  });
});

describe("a fabric validation is measured against a baseline of its own size (R3.3, R3.4, R3.5)", () => {
  const sized = (id: string, ranks: string, minutes: number, more: object = {}) =>
    aBaseline({ id, capturedAt: at(minutes), summary: { ...aBaseline().summary, conditions: { ranks } }, ...more });
  const [older, newer, since] = [sized("older", "16", -900), sized("newer", "16", -800), sized("since", "16", -10)];
  const others = [
    sized("retired", "16", -500, { retiredAt: at(-450) }),
    sized("other size", "24", -600),
    sized("other application", "16", -500, { appVersion: "nccl-tests 2.18" }),
  ];
  const rowsFor = (nodes: readonly number[], ranks: string, baselines: readonly Baseline[], jobId = "nccl-h100@3") => {
    const job = aLockedJob();
    const s = aSnapshot({
      jobs: [job],
      targets: [aTarget(1), aTarget(2)],
      available: [{ classId: job.classId, jobId, spec: job.spec, baselines }],
    });
    const members = nodes.map((n) => ({ subjectId: aTarget(n).subjectId, part: "member" as const }));
    return baselineRows({ s }, aCheck({ scope: "change", targetId: null, members }), null, { ranks });
  };
  const LOCKED = aLockedJob().baseline?.summary;

  it("the newest of the locked job that is comparable and older than the lock", () => {
    expect(rowsFor([1, 2], "16", [older, newer, since, ...others])).toBe(newer.summary);
  });
  it("none is comparable: the locked one, and the reason names both sizes", () => {
    expect(rowsFor([1, 2], "128", [older, newer])).toEqual(LOCKED);
    expect(rowsFor([1, 2], "16", [since, ...others])).toEqual(LOCKED);
    expect(rowsFor([1, 2], "16", [older], "nccl-h100@2")).toEqual(LOCKED);
  });
  it("one node's check, or one that fits the locked one, keeps to the locked one", () => {
    expect(rowsFor([1], "16", [older])).toEqual(LOCKED);
    expect(rowsFor([1, 2], "8", [sized("same size", "8", -800)])).toEqual(LOCKED);
  });
});
