import { describe, expect, it } from "vitest";
import { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aCommand } from "@/lib/testing/a-command";
import { aHold } from "@/lib/testing/a-hold";
import { NOW, at } from "@/lib/testing/a-moment";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, anUnknown, aValue } from "@/lib/testing/a-target";
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
const out = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `other${i}`, gpus: 8, because: "down" as const }));
/** MODEL 3: given, ruling. Rows of checks and dates are left out of the words. */
const CASES: readonly (readonly [string, Snapshot, readonly string[]])[] = [
  [
    "1. preflight gate open, four targets waiting: nothing moves",
    aSnapshot({ checks: aPreflight({ verdict: "unresolved", because: "no data" }) }),
    ["~change gate_open(preflight)"],
  ],
  [
    "2. canary gate open: only the canary goes out",
    aSnapshot({ targets: someTargets({}), reports: [] }),
    ["t1>checking", "!gpu001/check_health/1"],
  ],
  [
    "3. canary accepted, sign-off open: the rest of its batch stays",
    aSnapshot({ decisions: aSnapshot().decisions.filter((d) => d.kind !== "sign_off") }),
    ["~batch 1 gate_open(sign_off)"],
  ],
  [
    "4. batch 1 done, advance manual: a person starts batch 2",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: accepted, t3: accepted, t4: accepted }),
      batches: [aBatch(1, { state: "succeeded" }), aBatch(2), aBatch(3)],
    }),
    ["~batch 2 waiting_for_person(start-batch)"],
  ],
  [
    "5. batch of four starts, the total leaves room for three: the fourth goes to an extra batch (R6.3)",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: accepted, t3: accepted, t4: accepted }),
      batches: [aBatch(1, { state: "succeeded" }), aBatch(2, { askedFor: true })],
      limits: { ownGpus: 32, totalNodes: 12 },
      others: out(9),
    }),
    [
      "batch 2>running",
      "batch 3 made, extra of 2, with t8",
      "t5>checking",
      "t6>checking",
      "t7>checking",
      "!gpu005/check_health/1",
      "!gpu006/check_health/1",
      "!gpu007/check_health/1",
    ],
  ],
  [
    "6. nothing fits: 12 of 12 nodes of the total are out",
    aSnapshot({ batches: [aBatch(1, { askedFor: true })], limits: { ownGpus: 32, totalNodes: 12 }, others: out(12) }),
    ["~batch 1 no_room(total, 12 names)"],
  ],
  [
    "7. drained, but two jobs run on t2 and t3's service is too old (R9.5, R2.3)",
    aSnapshot({
      targets: someTargets({
        t1: accepted,
        t2: inStep("draining", { service: working(2) }),
        t3: inStep("draining", { service: anUnknown("too_old") }),
      }),
      batches: [aBatch(1, { state: "running" })],
      commands: [drain(2), drain(3)],
    }),
    ["~t2 jobs_running", "~t3 unknown(service, too_old)", "~change not_yet"],
  ],
  [
    "8. drained and empty, ten minutes of window left, the update needs 15: the drain stays (R11.2)",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: inStep("draining", { service: drained }) }, 2),
      batches: [aBatch(1, { state: "running" })],
      commands: [drain(2)],
      windows: [{ id: "w", startsAt: at(-120), endsAt: at(10), timezone: "UTC" }],
      change: { preflightPassedAt: at(-60) },
    }),
    ["~t2 window_too_short"],
  ],
  [
    "8. 15 minutes are left and the update needs 15: it would end with the window, not before it (R11.2)",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: inStep("draining", { service: drained }) }, 2),
      batches: [aBatch(1, { state: "running" })],
      commands: [drain(2)],
      windows: [{ id: "w", startsAt: at(-120), endsAt: at(15), timezone: "UTC" }],
      change: { preflightPassedAt: at(-60) },
    }),
    ["~t2 window_too_short"],
  ],
  [
    "9. a person's hold: surgery is finished, never begun (R7.6)",
    aSnapshot({
      targets: someTargets(
        {
          t1: inStep("rebooting", { updateBegan: true, bootId: "boot-1-2" }),
          t2: inStep("draining", { service: drained }),
          t3: {},
        },
        3,
      ),
      batches: [aBatch(1, { state: "running" })],
      commands: [
        aCommand(1, {
          kind: "reboot",
          request: { kind: "reboot", node: "gpu001", bootedBefore: "boot-1-1" },
          state: "started",
          finishedAt: null,
          outcome: null,
        }),
        drain(2),
      ],
      holds: [aHold()],
    }),
    ["t1>observing", "!gpu001/probe/1", "~t2 held(person)", "~change held(person)"],
  ],
  [
    "10. all checks pass, another batch all accepted, streak was 2: released, counted, committed (R8.4)",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: inStep("validating", { updateBegan: true, service: drained }), t5: accepted }, 2, [5]),
      batches: [aBatch(1, { state: "running" }), aBatch(2, { state: "running" })],
      checks: [...aPreflight(), ...passed(2)],
      rollback: { streak: 2 },
    }),
    ["t2>returning", "batch 2>succeeded", "count failed 0, streak 3, committed", "!gpu002/release/1"],
  ],
  [
    "11. one check unresolved past its due time: held, and no other batch starts (R2.6)",
    aSnapshot({
      targets: someTargets({ t1: accepted, t2: inStep("validating", { updateBegan: true, service: drained }) }, 2, [5]),
      batches: [aBatch(1, { state: "running" }), aBatch(2, { askedFor: true })],
      checks: [...aPreflight(), ...passed(2).slice(0, 1), aCheck({ targetId: "t2" as never, verdict: "unresolved", because: "no data" })],
    }),
    ["t2>unresolved", "~change batch_undecided"],
  ],
];

describe("decide, the case table", () => {
  it.each(CASES)("%s", (_title, snapshot, expected) => {
    expect(ruled(decide(snapshot, policy, NOW))).toEqual(expected);
  });
  it.each(CASES)("deciding twice is deciding once: %s", (_title, snapshot) => {
    expect(decide(snapshot, policy, NOW)).toEqual(decide(snapshot, policy, NOW));
  });
});
