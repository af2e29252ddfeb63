import { describe, expect, it } from "vitest";
import type { CommandKind, CommandView } from "@/lib/core/change/command";
import type { CommandRequest } from "@/lib/core/change/command-request";
import { Policy } from "@/lib/core/change/policy";
import type { Obligation } from "@/lib/core/change/obligation";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { aBatch } from "@/lib/testing/a-batch";
import { aPreflight } from "@/lib/testing/a-check";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aHold } from "@/lib/testing/a-hold";
import { aPlan } from "@/lib/testing/a-plan";
import { NOW, at } from "@/lib/testing/a-moment";
import { aBoard, aConfigRow } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aRollback, aService, aTarget, aValue } from "@/lib/testing/a-target";
import { inStep, passed, someTargets } from "@/lib/testing/some-targets";
import { ruled } from "@/lib/testing/ruling-said";
import { decide } from "./decide";

const policy = Policy.parse({});
const ours = (overrides = {}) => aValue(aService({ state: "drained", reason: "clearance:chg-1/gpu001", ours: true, ...overrides }));
const theirs = aValue(aService({ state: "drained", reason: "bad DIMM" }));
const command = (kind: CommandKind, request: CommandRequest, more: Partial<CommandView> = {}) => aCommand(1, { kind, request, ...more });
const drain = command("drain", { kind: "drain", node: "gpu001", reason: "clearance:chg-1/gpu001" });
const owed: Obligation = {
  id: "o1",
  kind: "drain",
  on: "gpu001",
  targetId: "t1" as Target["id"],
  name: "x",
  prior: null,
  since: at(-9),
  endsAt: null,
};
/** One target, t1, in a running batch, with its drain sent and owed. */
const one = (t1: Partial<Target>, more: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({
    targets: someTargets({ t1: { role: "member", ...t1 } }, 1),
    batches: [aBatch(1, { state: "running" })],
    commands: [drain],
    obligations: [owed],
    ...more,
  });
const rollback = (nth: number, generation: number, more: Partial<CommandView> = {}) =>
  command(
    "start_rollback",
    { kind: "start_rollback", node: "gpu001", stage: nth - 1, component: "driver", on: "node", run: "x", timeoutMs: 1 },
    { generation, ...more },
  );
const going = (more: Partial<Target>, rest: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  one(inStep("rolling_back", { updateBegan: true, aim: "prior", generation: 2, service: ours(), ...more }), {
    change: { state: "ROLLBACK" },
    batches: [aBatch(1, { state: "failed" })],
    holds: [aHold({ kind: "failed_batch", batch: 1 })],
    checks: [...aPreflight(), ...passed(1, { generation: more.generation ?? 2, verdict: null })],
    ...rest,
  });
const failed = { state: "failed" as const, outcome: anOutcome({ result: "failed", because: "exit 1" }) };
const unknown = { state: "unknown" as const, outcome: anOutcome({ result: "unknown", because: "connection lost" }) };
const differs = aBoard({ now: aConfigRow({ host_report: { verdict: "differs", known: aValue("550.90.07"), wanted: "570.172.08" } }) });
const layer = (dueAt: Date) => passed(1, { verdict: null, dueAt, judgedAt: null }).slice(0, 1);
const probe = command("probe", { kind: "probe", node: "gpu001", components: ["gpu_driver"] });

const CASES: readonly (readonly [string, Snapshot, readonly string[]])[] = [
  [
    "work on a node that was not accepted: drained again, held, paged (R9.3)",
    one(inStep("validating", { updateBegan: true, service: aValue(aService({ jobs: [{ id: "9", user: "bo", endsAt: at(9) }] })) }), {
      checks: [...aPreflight(), ...passed(1)],
    }),
    [
      "hold lost_drain",
      "finding",
      "page: gpu001 in service without acceptance",
      "t1>returning",
      "!gpu001/drain.2/1",
      "~t1 command_running",
    ],
  ],
  [
    "the same while it waits for its reboot: no reboot under a running job (R9.5)",
    one(
      inStep("rebooting", {
        updateBegan: true,
        service: ours({ state: "draining", jobs: [{ id: "9", user: "bo", endsAt: at(9) }] }),
      }),
    ),
    ["~t1 jobs_running"],
  ],
  [
    "drained by someone else while it drains: withheld, ours is settled, their reason stays (case 19)",
    one(inStep("draining", { service: theirs })),
    ["settle", "t1>withheld", "batch 1>succeeded"],
  ],
  [
    "its drain was changed after the update began: a person talks to them (R9.2)",
    one(inStep("rebooting", { updateBegan: true, service: theirs }), {
      commands: [
        drain,
        command(
          "reboot",
          { kind: "reboot", node: "gpu001", bootedBefore: "boot-1-1" },
          { state: "started", finishedAt: null, outcome: null },
        ),
      ],
    }),
    ["finding", "hold foreign_action", "~t1 command_running"],
  ],
  [
    "a job outlasts the drain limit and the plan says ask: a person decides (R9.5, S6)",
    one(
      inStep("draining", {
        deadlineAt: at(-1),
        service: ours({ state: "draining", jobs: [{ id: "7", user: "ann", endsAt: "no_limit" }] }),
      }),
    ),
    ["~t1 jobs_running", "~t1 waiting_for_person(decide-drain)"],
  ],
  [
    "the same under a hold: the job in the way is named beside it (R9.5)",
    one(inStep("draining", { service: ours({ state: "draining", jobs: [{ id: "7", user: "ann", endsAt: "no_limit" }] }) }), {
      holds: [aHold()],
    }),
    ["~t1 held(person)", "~t1 jobs_running"],
  ],
  [
    "the same with defer-node: returned untouched, to be deferred",
    one(
      inStep("draining", {
        deadlineAt: at(-1),
        service: ours({ state: "draining", jobs: [{ id: "7", user: "ann", endsAt: "no_limit" }] }),
      }),
      {
        plan: aPlan({ drain: { deadlineMs: 1, gracePeriodMs: 1, onDeadline: "defer-node" } }),
      },
    ),
    ["t1>releasing", "!gpu001/release/1"],
  ],
  [
    "the old driver came back and its time is over: failed, and goes back (R1.3)",
    one(inStep("observing", { updateBegan: true, service: ours(), board: differs }), {
      commands: [drain, probe],
      checks: [...aPreflight(), ...layer(at(-1))],
    }),
    [
      "t1/1/host report: fail",
      "t1>failed",
      "batch 1>failed",
      "hold failed_batch",
      "page: batch 1 failed",
      "count failed 1, streak 0",
      "t1>rolling_back (generation 2, aim prior)",
      "change>ROLLBACK",
    ],
  ],
  [
    "nobody could read the host in time: unresolved, no rollback, no failed batch (R2.6)",
    one(inStep("observing", { updateBegan: true, service: ours() }), {
      commands: [drain, command("probe", { kind: "probe", node: "gpu001", components: [] }, unknown)],
      checks: [...aPreflight(), ...layer(at(-1))],
    }),
    ["t1/1/host report: unresolved", "t1>unresolved"],
  ],
  [
    "a rollback command failed: a second try in a pass of its own (D10, S5 d)",
    going({}, { commands: [rollback(1, 2, failed)] }),
    ["t1>rolling_back (generation 3, aim prior)"],
  ],
  ["the second try reads the real state first", going({ generation: 3, stage: 1 }, { commands: [] }), ["!gpu001/probe/3"]],
  [
    "the second try failed too: rollback failed, paged",
    going(
      { generation: 3, stage: 1 },
      { commands: [command("probe", { kind: "probe", node: "gpu001", components: [] }, { generation: 3 }), rollback(1, 3, failed)] },
    ),
    ["t1>rollback_failed", "change>IN_PROGRESS", "page: gpu001 did not go back"],
  ],
  [
    "firmware of which nobody knows the state is never sent twice (D10)",
    going(
      { rollback: [aRollback({ name: "driver" })] },
      { change: { state: "ROLLBACK", type: "bmc_firmware" }, commands: [rollback(1, 2, unknown)] },
    ),
    ["t1>rollback_failed", "change>IN_PROGRESS", "page: gpu001 did not go back"],
  ],
  [
    "a part of it cannot go back: the others went, the node did not (R8.3)",
    going({ rollback: [aRollback(), aRollback({ name: "firmware", capability: "impossible" })] }, { commands: [rollback(1, 2)] }),
    ["t1>rollback_failed", "change>IN_PROGRESS", "page: gpu001 did not go back"],
  ],
  [
    "outside its window a change is held, and lifted when the next one opens (R11.2)",
    one({}, { windows: [{ id: "w", startsAt: at(-90), endsAt: at(-30), timezone: "UTC" }], commands: [], obligations: [] }),
    ["hold window_closed", "~change held(window_closed)", "~change window_closed"],
  ],
];

describe("decide, what nobody planned", () => {
  it.each(CASES)("%s", (_title, snapshot, expected) => {
    const words = ruled(decide(snapshot, policy, NOW));
    expect(words.filter((w) => w !== "~change not_yet" && w !== "~change batch_undecided")).toEqual(expected);
  });
  it("looks at 1,024 targets without trouble", () => {
    const targets = Array.from({ length: 1024 }, (_, i) => aTarget(i + 1, i < 4 ? inStep("draining", { service: ours() }) : {}));
    const s = aSnapshot({ targets, batches: Array.from({ length: 256 }, (_, i) => aBatch(i + 1)) });
    expect(decide(s, policy, NOW).waits.length).toBeGreaterThan(0);
  });
});
