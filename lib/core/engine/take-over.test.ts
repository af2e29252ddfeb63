import { describe, expect, it } from "vitest";
import { applyAction } from "@/lib/core/change/apply-action";
import { Policy } from "@/lib/core/change/policy";
import type { Obligation } from "@/lib/core/change/obligation";
import type { DecisionView, Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { aBatch } from "@/lib/testing/a-batch";
import { aCommand, anOutcome } from "@/lib/testing/a-command";
import { aDecision } from "@/lib/testing/a-decision";
import { aFinding } from "@/lib/testing/a-finding";
import { aHash } from "@/lib/testing/a-hash";
import { aHold } from "@/lib/testing/a-hold";
import { NOW, at } from "@/lib/testing/a-moment";
import { DV } from "@/lib/testing/a-person";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aValue } from "@/lib/testing/a-target";
import { inStep, passed, someTargets } from "@/lib/testing/some-targets";
import { ruled } from "@/lib/testing/ruling-said";
import { decide } from "./decide";

const policy = Policy.parse({});
const THEIRS = "fan noise, ticket 200";
const OURS = "clearance:chg-1/gpu001";
const drainedFor = (reason: string) => ({ service: aValue(aService({ state: "drained", reason, ours: reason.startsWith(OURS) })) });
const owed: Obligation = {
  id: "o1",
  kind: "drain",
  on: "gpu001",
  targetId: "t1" as Target["id"],
  name: OURS,
  prior: null,
  since: at(-9),
  endsAt: null,
};
const drain = aCommand(1, { request: { kind: "drain", node: "gpu001", reason: OURS } });
/** Every check of gpu001 passes; it is drained for this reason. */
const one = (reason: string, more: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({
    targets: someTargets({ t1: inStep("unresolved", { role: "member", updateBegan: true, ...drainedFor(reason) }) }, 1),
    batches: [aBatch(1, { state: "running", askedFor: true })],
    checks: [...aSnapshot().checks, ...passed(1)],
    commands: [drain],
    obligations: [owed],
    findings: [aFinding({ id: "f-1", kind: "foreign_drain", key: "foreign_drain/t1/1" })],
    ...more,
  });
const said: DecisionView = aDecision({
  id: "d-take",
  kind: "foreign_drain",
  on: { what: "target", id: "t1" },
  choice: "take_over",
  byId: DV,
  at: at(-1),
  reason: "Hanna agreed, ticket 200 is done",
  facts: { generation: 1, reason: THEIRS },
});
const decisions = [aDecision(), said];
const act = (s: Snapshot, choice: "take_over" | "wait") =>
  applyAction(
    s,
    { action: "decide-drain", on: "gpu001", choice, reason: "Hanna agreed" },
    { now: NOW, policy, hash: aHash, id: "d-1", actor: { id: DV, roles: ["operator"] } },
  );
const told = (s: Snapshot): readonly string[] => ruled(decide(s, policy, NOW)).filter((w) => !w.startsWith("~change"));

describe("somebody else's drain becomes ours by a decision on exactly that drain, and in no other way (R9.2)", () => {
  it("without one it is left alone: nothing is sent", () => expect(told(one(THEIRS))).toEqual(["~t1 foreign_drain"]));

  it("with one our reason is set in its place, once, naming what was agreed", () => {
    const s = one(THEIRS, { decisions });
    expect(told(s)).toEqual(["!gpu001/drain.2/1", "~t1 foreign_drain"]);
    const [command] = decide(s, policy, NOW).commands;
    expect(command).toMatchObject({ request: { reason: OURS, takesOver: { reason: THEIRS, decisionId: "d-take" } } });
    expect(command?.because).toContain("Hanna agreed");
    const failed = aCommand(1, {
      ...command,
      state: "failed",
      outcome: anOutcome({ result: "failed", because: "the scheduler said no" }),
    });
    expect(told({ ...s, commands: [drain, failed] })).toEqual(["~t1 foreign_drain"]);
  });

  it("a drain with another reason than the one that was agreed stays theirs", () =>
    expect(told(one("water in rack 4", { decisions }))).toEqual(["~t1 foreign_drain"]));
  it("what the scheduler appends to it does not make it another", () =>
    expect(told(one(`${THEIRS} : reboot complete`, { decisions }))).toContain("!gpu001/drain.2/1"));
  it("a decision of an earlier pass, or a revoked one, says nothing", () => {
    expect(told(one(THEIRS, { decisions: [aDecision(), { ...said, facts: { generation: 0, reason: THEIRS } }] }))).toEqual([
      "~t1 foreign_drain",
    ]);
    expect(told(one(THEIRS, { decisions: [aDecision(), { ...said, revoked: true }] }))).toEqual(["~t1 foreign_drain"]);
  });

  it("once the scheduler shows our reason the node goes back to work", () => {
    const taken = aCommand(1, {
      key: "chg-1/gpu001/drain.2/1" as typeof drain.key,
      request: { kind: "drain", node: "gpu001", reason: OURS, takesOver: { reason: THEIRS, decisionId: "d-take" } },
    });
    expect(told(one(OURS, { decisions, commands: [drain, taken] })).filter((w) => !w.startsWith("~"))).toEqual([
      "t1>returning",
      "!gpu001/release/1",
    ]);
  });

  it("before its update such a node is not withheld but drained by us", () => {
    const s = one(THEIRS, {
      decisions,
      targets: someTargets({ t1: inStep("draining", { role: "member", ...drainedFor(THEIRS) }) }, 1),
      findings: [],
      checks: aSnapshot().checks,
    });
    expect(told(s)).toEqual(["!gpu001/drain.2/1", "~t1 command_running"]);
  });

  it("the decision names the reason, accepts the finding and lifts the hold of that drain", () => {
    const applied = act(
      one(THEIRS, { holds: [aHold({ id: "h-1", kind: "foreign_action", targetId: "t1" as Target["id"] })] }),
      "take_over",
    );
    expect(applied.ok && applied.value.moves).toMatchObject([
      { move: "decision", kind: "foreign_drain", facts: { generation: 1, reason: THEIRS }, permits: expect.stringContaining(THEIRS) },
      { move: "accept_finding", findingId: "f-1" },
      { move: "release_hold", holdId: "h-1" },
    ]);
  });

  it("nothing is taken over that nobody else has drained, and a node that waits for no job is not told to wait", () => {
    expect(act(one(OURS), "take_over")).toMatchObject({ ok: false, error: { code: "closed" } });
    expect(act(one(THEIRS), "wait")).toMatchObject({ ok: false, error: { code: "closed" } });
  });
});
