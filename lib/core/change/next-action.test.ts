import { describe, expect, it } from "vitest";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aDecision, aSignOff } from "@/lib/testing/a-decision";
import { aFinding } from "@/lib/testing/a-finding";
import { aHold } from "@/lib/testing/a-hold";
import { aLayout } from "@/lib/testing/a-layout";
import { aLockedJob } from "@/lib/testing/a-job";
import { NOW, at } from "@/lib/testing/a-moment";
import { AK, DV, JS, LT, MR } from "@/lib/testing/a-person";
import { aRehearsalView } from "@/lib/testing/a-rehearsal";
import { aBoard, aReportView } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aTarget, aValue } from "@/lib/testing/a-target";
import { explain } from "./explain";
import { nextAction } from "./next-action";
import { Policy } from "./policy";
import type { Snapshot } from "./snapshot";

const policy = Policy.parse({});
const draft: Parameters<typeof aSnapshot>[0] = {
  change: { state: "PENDING", startedAt: null, canariesAskedFor: false, preflightPassedAt: null },
  targets: Array.from({ length: 12 }, (_, i) => aTarget(i + 1)),
  checks: [],
  reports: [],
  readings: [],
  decisions: [],
};
const ready = {
  ...draft,
  decisions: [aDecision()],
  checks: aPreflight(),
  change: { ...draft.change, state: "PREFLIGHT" as const, preflightPassedAt: at(-5) },
};
const available = [{ classId: aLockedJob().classId, jobId: "nccl-h100@3", spec: aLockedJob().spec, baselines: [] }];
const accepted = aSnapshot().targets.map((t) => ({ ...t, step: "accepted" as const, updateBegan: true }));
const validated = (["fabric_validation", "spot_validation"] as const).map((gate) =>
  aCheck({ gate, scope: "change", targetId: null, name: gate }),
);
const definition = aCheck({
  gate: "definition_agrees",
  scope: "change",
  targetId: null,
  judgedAt: at(-1),
  spec: { kind: "configuration", field: "cluster_definition", component: "gpu_driver", wanted: "570.172.08" },
});

const reservation: Snapshot["obligations"][number] = {
  id: "o-1",
  kind: "reservation",
  on: "chg-1",
  targetId: null,
  name: "clearance-chg-1-spot-validation-1",
  prior: null,
  since: at(-5),
  endsAt: at(600),
};
const notGone = aCommand(1, {
  targetId: null,
  state: "failed",
  request: { kind: "unreserve", name: reservation.name, nodes: [], drainFirst: false, reason: reservation.name },
  outcome: anOutcome({ result: "failed", because: "in use" }),
});

const theirs = { service: aValue(aService({ state: "drained", reason: "fan noise, ticket 200", ours: false })) };
const foreignAction = aHold({ kind: "foreign_action", batch: 1, targetId: aTarget(1).id });

describe("the next action, and who does it (R7.4)", () => {
  const rows: readonly [string, Snapshot, object][] = [
    ["a new change: the workload owner locks the job", aSnapshot({ ...draft, jobs: [], available }), { action: "lock-job", who: [LT] }],
    ["no rehearsal: the operator links one", aSnapshot({ ...draft, rehearsals: [] }), { action: "link-rehearsal" }],
    [
      "only recovery is untested: the approver accepts that, or somebody links one",
      aSnapshot({ ...draft, rehearsals: [aRehearsalView("failure")] }),
      { action: "accept-finding", on: "recovery_untested", who: [MR] },
    ],
    ["everything prepared: the approver approves", aSnapshot(draft), { action: "approve-plan", who: [MR] }],
    [
      "a conflict in the plan: the operator edits it",
      aSnapshot({ ...draft, layout: aLayout({ conflicts: [{ code: "x", text: "no such node" }] }) }),
      { action: "edit-plan" },
    ],
    ["approved without a window: book one", aSnapshot({ ...draft, decisions: [aDecision()], windows: [] }), { action: "book-window" }],
    ["approved with a window: run preflight", aSnapshot({ ...draft, decisions: [aDecision()] }), { action: "run-preflight" }],
    [
      "preflight is being judged: the worker",
      aSnapshot({ ...ready, checks: aPreflight({ verdict: null }), change: { ...ready.change, preflightPassedAt: null } }),
      { by: "worker" },
    ],
    ["preflight passed: start the canaries", aSnapshot(ready), { action: "start-canary" }],
    ["advance auto: the worker starts them", aSnapshot({ ...ready, change: { ...ready.change, advance: "auto" } }), { by: "worker" }],
    [
      "the canary is updating: the worker",
      aSnapshot({ targets: [aTarget(1, { step: "updating", updateBegan: true }), aTarget(2)] }),
      { by: "worker" },
    ],
    [
      "the record is frozen: the approver signs",
      aSnapshot({ decisions: [aDecision()], readings: [] }),
      { action: "sign-off", on: "report-1", who: [MR] },
    ],
    ["signed: the second engineer reads", aSnapshot({ readings: [] }), { action: "record-reading", on: "report-1", who: [JS] }],
    [
      "read by the only second engineer, with a difference: the approver settles it",
      aSnapshot({ findings: [aFinding({ id: "f-1", kind: "second_reading", key: "second_reading/report-1/r/1" })] }),
      { action: "accept-finding", on: "f-1", who: [MR] },
    ],
    ["read: the first batch", aSnapshot(), { action: "start-batch", on: "1" }],
    ["paused: whoever holds it resumes", aSnapshot({ holds: [aHold()] }), { action: "resume", who: expect.arrayContaining([AK]) }],
    [
      "a batch failed: the decision owner decides",
      aSnapshot({
        batches: [aBatch(1, { state: "failed", askedFor: true }), aBatch(2)],
        holds: [aHold({ kind: "failed_batch", batch: 1 })],
      }),
      { action: "decide", on: "1", who: [DV] },
    ],
    ["all accepted: fabric validation", aSnapshot({ targets: accepted }), { action: "run-fabric-validation" }],
    [
      "validated: the definition",
      aSnapshot({ targets: accepted, checks: [...aPreflight(), ...validated] }),
      { action: "confirm-definition" },
    ],
    [
      "all of it done: the owner closes",
      aSnapshot({ targets: accepted, checks: [...aPreflight(), ...validated, definition] }),
      { action: "close", who: [AK] },
    ],
    [
      "all of it done, the validation's reservation still stands: the worker gives it back (R12.4)",
      aSnapshot({ targets: accepted, checks: [...aPreflight(), ...validated, definition], obligations: [reservation] }),
      { by: "worker" },
    ],
    [
      "it would not go: a person settles it",
      aSnapshot({
        targets: accepted,
        checks: [...aPreflight(), ...validated, definition],
        obligations: [reservation],
        commands: [notGone],
      }),
      { action: "settle-obligation", on: "o-1" },
    ],
    [
      "somebody changed the drain of a node under update: it goes on, nobody is asked yet (R8.2)",
      aSnapshot({ targets: [aTarget(1, { ...theirs, step: "updating", updateBegan: true })], holds: [foreignAction] }),
      { by: "worker" },
    ],
    [
      "validated under somebody else's drain: it is left alone and handed over (R9.2, case 19)",
      aSnapshot({
        targets: [aTarget(1, { ...theirs, step: "unresolved", updateBegan: true })],
        batches: [aBatch(1, { state: "running" })],
      }),
      { action: "release-node", on: "gpu001" },
    ],
    ["ended: nobody", aSnapshot({ change: { state: "COMPLETED", outcome: "as_planned", endedAt: at(-1) } }), { by: "nobody" }],
  ];
  it.each(rows)("%s", (_says, s, next) => expect(nextAction(s, policy, NOW)).toMatchObject(next));

  it("a change whose window is over waits for the next one, and says when it opens", () => {
    const later = [{ id: "w", startsAt: at(600), endsAt: at(900), timezone: "UTC" }];
    expect(nextAction(aSnapshot({ windows: later }), policy, NOW)).toMatchObject({
      by: "worker",
      waits: [{ because: { code: "window_closed", opensAt: at(600) } }],
    });
    expect(explain(aSnapshot({ windows: later }), policy, NOW).next).toContain("opens at 2026-12-09 09:00 UTC");
  });

  it("a lost version is told of nodes in hand, not of each accepted one; what no layer knows is told once (R1.7)", () => {
    const board = {
      ...aBoard(),
      sentences: [
        { says: "rebuild_returns_to_old", node: "gpu001", old: "570.172.08" },
        { says: "unknown", field: "host_report", because: "before_reboot" },
      ] as const,
    };
    const told = (step: "accepted" | "validating") =>
      explain(aSnapshot({ targets: [1, 2].map((n) => aTarget(n, { step, board })) }), policy, NOW).sentences.filter((x) =>
        /rebuilt|report/.test(x),
      );
    const unknown = "The host report is unknown: the last read is from before the node's last reboot.";
    expect(told("accepted")).toEqual([unknown]);
    expect(told("validating")).toEqual(["A rebuilt gpu001 loses 570.172.08: nothing gives a new node this version.", unknown]);
  });

  it("the headline adds up and names the hold", () => {
    const told = explain(aSnapshot({ holds: [aHold()] }), policy, NOW);
    expect(told.stands).toBe("In progress, held (paused by a person): 12 nodes, 11 not attempted, 1 accepted. 0 of 3 batches are through.");
    expect(told.sentences[0]).toBe("Held by Anna Krol, paused by a person: fabric team is looking at leaf02. It is lifted by: resume.");
  });

  it("a batch that failed and is not decided is not through (R8.4)", () => {
    const targets = [aTarget(1, { step: "accepted" }), aTarget(2, { batch: 2, step: "rolled_back" }), aTarget(3, { batch: 3 })];
    const batches = [aBatch(1, { state: "succeeded" }), aBatch(2, { state: "failed" }), aBatch(3)];
    const through = (state: "failed" | "decided") =>
      explain(aSnapshot({ targets, batches: batches.map((b) => (b.number === 2 ? { ...b, state } : b)) }), policy, NOW).stands.slice(-34);
    expect(through("failed")).toContain("1 of 3 batches are through.");
    expect(through("decided")).toContain("2 of 3 batches are through.");
  });

  it("nothing of a signed change waits for a report that is not its newest", () =>
    expect(
      nextAction(
        aSnapshot({ reports: [aReportView(), aReportView({ id: "report-2", number: 2 })], decisions: [aDecision(), aSignOff()] }),
        policy,
        NOW,
      ),
    ).toMatchObject({
      action: "sign-off",
      on: "report-2",
    }));
});
