import { describe, expect, it } from "vitest";
import type { CommandKind, CommandView } from "@/lib/core/change/command";
import type { CommandRequest } from "@/lib/core/change/command-request";
import { Policy } from "@/lib/core/change/policy";
import type { RollbackComponent } from "@/lib/core/change/rollback";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aHold } from "@/lib/testing/a-hold";
import { aBaseline, aLockedJob } from "@/lib/testing/a-job";
import { A_CLASS } from "@/lib/testing/a-layout";
import { NOW, at } from "@/lib/testing/a-moment";
import { aRehearsalFinding, aRehearsalView } from "@/lib/testing/a-rehearsal";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aRollback, aService, aValue } from "@/lib/testing/a-target";
import { inStep, passed, someTargets } from "@/lib/testing/some-targets";
import { ruled } from "@/lib/testing/ruling-said";
import { decide } from "./decide";

const policy = Policy.parse({});
const drained = aValue(aService({ state: "drained", reason: "clearance:chg-1/gpu001", ours: true }));
const working = (jobs: number) =>
  aValue(
    aService({
      state: "draining",
      reason: "clearance:chg-1/gpu001",
      ours: true,
      jobs: Array.from({ length: jobs }, (_, i) => ({ id: `81${i}`, user: "ann", endsAt: at(60) })),
    }),
  );
const drain = (n: number, generation = 1) => aCommand(n, { kind: "drain", request: { kind: "drain", node: "x", reason: "r" }, generation });
const accepted = inStep("accepted", { updateBegan: true });
const classTwo = { classId: 2 as never };
const canaryTwo = aSnapshot().classes.map((c) => ({ ...c, id: 2 as never, label: "a100" }));

/** Rows whose ruling is a set: what happens matters, not in which order it is said. */
const SORTED = /^1[245]\./;
const command = (n: number, kind: CommandKind, request: CommandRequest, generation = 1, more: Partial<CommandView> = {}) =>
  aCommand(n, { kind, request, generation, ...more });
const rehearsalsOf = (label: string) =>
  (["failure", "recovery"] as const).map((kind) =>
    aRehearsalView(kind, { finding: aRehearsalFinding({ classes: [A_CLASS, label], recoveryMs: kind === "recovery" ? 1 : null }) }),
  );
function failing(
  more: {
    readonly rollback?: { readonly failedBatches: number };
    readonly only?: number;
    readonly rollbackOf?: readonly RollbackComponent[];
  } = {},
): Snapshot {
  const t1 = inStep("validating", {
    updateBegan: true,
    service: drained,
    ...(more.rollbackOf === undefined ? {} : { rollback: more.rollbackOf }),
  });
  const by = {
    t1,
    t2: inStep("validating", { updateBegan: true, service: drained }),
    t3: inStep("draining", { service: working(1) }),
    t4: accepted,
    t5: inStep("unresolved", { updateBegan: true, batch: 1, service: drained }),
  };
  return aSnapshot({
    targets: someTargets(by, more.only ?? 5),
    batches: [aBatch(1, { state: "running" })],
    checks: [
      ...aPreflight(),
      ...passed(1),
      aCheck({ name: "dcgm", verdict: "fail", because: "GPU 3 failed" }),
      aCheck({
        targetId: "t2" as never,
        verdict: null,
        name: "later",
        spec: { kind: "telemetry", query: "q", expect: { equals: "0" }, seriesPerNode: 8, freshnessMs: 60_000, settleMs: 1 },
        settlesAt: at(5),
        dueAt: at(7),
      }),
    ],
    commands: [drain(3)],
    ...(more.rollback === undefined ? {} : { rollback: more.rollback }),
  });
}
const updating = (more: Partial<CommandView>): Snapshot =>
  aSnapshot({
    targets: someTargets({ t1: inStep("updating", { updateBegan: true, service: drained }) }, 1),
    batches: [aBatch(1)],
    commands: [
      command(
        1,
        "start_update",
        { kind: "start_update", node: "gpu001", stage: 0, name: "install", on: "node", run: "x", timeoutMs: 60_000 },
        1,
        more,
      ),
    ],
  });

/** MODEL 3, second half: given, ruling. */
const CASES: readonly (readonly [string, Snapshot, readonly string[]])[] = [
  [
    "12. t1 fails, t2 validating, t3 draining, t4 accepted, t5 unresolved (R8.2)",
    failing(),
    [
      "t1>failed",
      "t3>releasing",
      "batch 1>failed",
      "hold failed_batch",
      "page: batch 1 failed",
      "count failed 1, streak 0",
      "t1>rolling_back (generation 2, aim prior)",
      "change>ROLLBACK",
    ].sort(),
  ],
  [
    "13. another node of a batch that has failed fails later: it goes back, the batch is not counted again",
    aSnapshot({
      targets: someTargets(
        { t1: inStep("rolled_back", { updateBegan: true, aim: "prior", generation: 2 }), t2: inStep("failed", { updateBegan: true }) },
        2,
      ),
      batches: [aBatch(1, { state: "failed" })],
      holds: [aHold({ kind: "failed_batch", batch: 1 })],
      rollback: { failedBatches: 1 },
    }),
    ["t2>rolling_back (generation 2, aim prior)", "change>ROLLBACK"],
  ],
  [
    "14. the same as 12, as the fourth failed batch: nothing goes back without a person, and it pages",
    failing({ rollback: { failedBatches: 3 } }),
    ["t1>failed", "t3>releasing", "batch 1>failed", "hold fourth_failure", "page: batch 1 failed", "count failed 4, streak 0"].sort(),
  ],
  [
    "15. it cannot go back: nothing is sent (R8.3)",
    failing({ only: 1, rollbackOf: [aRollback({ capability: "impossible" })] }),
    [
      "t1>failed",
      "batch 1>failed",
      "hold failed_batch",
      "page: batch 1 failed",
      "page: gpu001 did not go back",
      "count failed 1, streak 0",
      "t1>rollback_failed",
    ].sort(),
  ],
  [
    "16. t1 aims at the old version and its checks pass; t2 is back in service (R8.5)",
    aSnapshot({
      targets: someTargets(
        {
          t1: inStep("validating", { updateBegan: true, aim: "prior", generation: 2, service: drained }),
          t2: inStep("returning", { updateBegan: true, aim: "prior", generation: 2, service: aValue(aService()) }),
        },
        2,
      ),
      batches: [aBatch(1, { state: "failed" })],
      change: { state: "ROLLBACK" },
      holds: [aHold({ kind: "failed_batch", batch: 1 })],
      checks: [...aPreflight(), ...passed(1, { generation: 2 })],
      commands: [command(2, "release", { kind: "release", node: "gpu002", reason: "r" }, 2)],
    }),
    ["t1>returning", "t2>rolled_back", "!gpu001/release/2"],
  ],
  [
    "17. the last rollback has settled: in progress again, the hold stays until `decide`",
    aSnapshot({
      targets: someTargets({ t1: inStep("rolled_back", { updateBegan: true, aim: "prior", generation: 2 }) }, 4),
      batches: [aBatch(1, { state: "failed" })],
      change: { state: "ROLLBACK" },
      holds: [aHold({ kind: "failed_batch", batch: 1 })],
    }),
    ["change>IN_PROGRESS", "~change held(failed_batch)"],
  ],
  [
    "18. the update of this generation was already started: nothing is sent again",
    updating({ state: "started", finishedAt: null, outcome: null }),
    ["~t1 command_running"],
  ],
  [
    "19. its outcome is unknown: the real state is read, the update never sent again (R9.4)",
    updating({ state: "unknown", outcome: anOutcome({ result: "unknown", because: "connection lost" }) }),
    ["t1>unresolved", "!gpu001/probe/1"],
  ],
  [
    "20. the first of the scale set is rebooting and was not read back: the second waits (R3.1)",
    aSnapshot({
      targets: someTargets(
        {
          t1: inStep("rebooting", { updateBegan: true, scaleSet: 77 as never }),
          t2: inStep("draining", { service: drained, scaleSet: 77 as never }),
        },
        2,
      ),
      batches: [aBatch(1, { state: "running" })],
      commands: [
        command(1, "reboot", { kind: "reboot", node: "gpu001", bootedBefore: "boot-1-1" }, 1, {
          state: "started",
          finishedAt: null,
          outcome: null,
        }),
        drain(2),
      ],
    }),
    ["~t1 command_running", "~t2 first_of_scale_set(gpu001)"],
  ],
  [
    "21. drained by someone else at its health check: withheld, its batch goes on (R9.2)",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: inStep("checking"), t3: inStep("checking") }, 3),
      batches: [aBatch(1, { state: "running" })],
      commands: [
        aCommand(2, { outcome: anOutcome({ health: { state: "drained", reason: "bad DIMM", gpusSeen: 8, observationIds: [1] } }) }),
        aCommand(3, { outcome: anOutcome({ health: { state: "in_service", reason: null, gpusSeen: 8, observationIds: [2] } }) }),
      ],
    }),
    ["prior", "t2>withheld", "prior", "t3>saving", "!gpu003/save_versions/1"],
  ],
  ["22. another change has the cluster's hand (R6.5)", aSnapshot({ handOf: "chg-9" as never }), ["~change other_change"]],
  [
    "23. validate-only node drained; canary drained with capture (R5.7, R3.3)",
    aSnapshot({
      targets: someTargets(
        {
          t1: inStep("draining", { service: drained }),
          t2: inStep("draining", { service: drained, mode: "validate_only" }),
        },
        2,
      ),
      batches: [aBatch(1, { state: "running" })],
      commands: [drain(1), drain(2)],
      jobs: [aLockedJob({ baseline: null, capture: true })],
      checks: [
        ...aPreflight(),
        aCheck({
          gate: "baseline",
          name: "baseline runs",
          verdict: null,
          spec: { kind: "acceptance", jobId: "nccl-h100@3", purpose: "baseline" },
        }),
      ],
    }),
    ["t1>measuring", "t2>observing", "!gpu001/reserve/1", "!gpu002/probe/1"],
  ],
  [
    "24. class 2 is not signed; the batch after it is class 1, signed and asked for: that one starts (R5.4)",
    aSnapshot({
      targets: someTargets(
        {
          t1: accepted,
          t2: accepted,
          t3: accepted,
          t4: accepted,
          t5: { ...classTwo, role: "canary", step: "accepted", updateBegan: true },
          t6: classTwo,
          t9: {},
        },
        6,
        [9],
      ),
      classes: [...aSnapshot().classes, ...canaryTwo],
      jobs: [aLockedJob(), aLockedJob({ classId: 2 as never, baseline: aBaseline({ classId: 2 }) })],
      rehearsals: rehearsalsOf("a100"),
      batches: [aBatch(1, { state: "succeeded" }), aBatch(2), aBatch(3, { askedFor: true })],
    }),
    ["batch 3>running", "t9>checking", "!gpu009/check_health/1", "~batch 2 gate_open(acceptance_report)"],
  ],
  [
    "25. two canaries of two classes on one leaf: the first starts, the second when it is back (R5.2)",
    aSnapshot({
      targets: someTargets({ t5: { ...classTwo, role: "canary", leaves: [1 as never] } }, 2, [5]),
      classes: [...aSnapshot().classes, ...canaryTwo],
      jobs: [aLockedJob(), aLockedJob({ classId: 2 as never, baseline: aBaseline({ classId: 2 }) })],
      rehearsals: rehearsalsOf("a100"),
      reports: [],
    }),
    ["t1>checking", "!gpu001/check_health/1", "~t5 not_yet"],
  ],
];

describe("decide, the case table from the first failure on", () => {
  it.each(CASES)("%s", (_title, snapshot, expected) => {
    const words = ruled(decide(snapshot, policy, NOW)).filter((word) => expected.length > 0 || word !== "");
    expect(SORTED.test(_title) ? words.filter((w) => !w.startsWith("~")).sort() : words).toEqual(expected);
  });
  it.each(CASES)("deciding twice is deciding once: %s", (_title, snapshot) => {
    expect(decide(snapshot, policy, NOW)).toEqual(decide(snapshot, policy, NOW));
  });
});
