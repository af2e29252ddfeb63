import { describe, expect, it } from "vitest";
import { nextAction } from "@/lib/core/change/next-action";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { Policy } from "@/lib/core/change/policy";
import type { FindingView, Snapshot } from "@/lib/core/change/snapshot";
import type { Target } from "@/lib/core/change/target";
import { aBatch } from "@/lib/testing/a-batch";
import { aDecision, aSignOff } from "@/lib/testing/a-decision";
import { aFinding } from "@/lib/testing/a-finding";
import { NOW, at } from "@/lib/testing/a-moment";
import { aBoard, aConfigRow } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aValue } from "@/lib/testing/a-target";
import { passed, someTargets } from "@/lib/testing/some-targets";
import { ruled } from "@/lib/testing/ruling-said";
import { decide } from "./decide";

const policy = Policy.parse({});
const OLD = "550.90.07";
const board = (value: string) =>
  aBoard({
    now: aConfigRow({
      host_report: { verdict: value === "570.172.08" ? "matches" : "differs", known: aValue(value), wanted: "570.172.08" },
    }),
  });
const accepted = (more: Partial<Target> = {}): Partial<Target> => ({
  step: "accepted",
  since: at(-20),
  updateBegan: true,
  board: board("570.172.08"),
  service: aValue(aService()),
  ...more,
});
const down = aValue(aService({ state: "down", reason: "Not responding" }));
/** The canary and gpu002 are accepted; batch 2 is asked for. */
const s = (t1: Partial<Target>, t2: Partial<Target>, more: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({
    targets: someTargets({ t1: accepted(t1), t2: accepted(t2) }, 5).filter((t) => t.id !== "t3" && t.id !== "t4"),
    batches: [aBatch(1, { state: "succeeded", askedFor: true }), aBatch(2, { askedFor: true })],
    ...more,
  });
const taken = (snapshot: Snapshot): boolean => ruled(decide(snapshot, policy, NOW)).includes("t5>checking");
const found = (snapshot: Snapshot) => decide(snapshot, policy, NOW).moves.filter((m) => m.move === "finding");
const open = (key: string, more: Partial<FindingView> = {}) => aFinding({ id: "f-9", kind: key.split("/")[0] ?? "", key, ...more });

describe("what is seen later of a node that was accepted (R4.3, R1.11)", () => {
  it("nothing new: the next batch starts", () => {
    expect(found(s({}, {}))).toEqual([]);
    expect(taken(s({}, {}))).toBe(true);
  });

  it("another driver on the signed canary contradicts its record: a finding that an approver must accept, and no batch starts", () => {
    const seen = s({ board: board(OLD) }, {});
    expect(found(seen)).toMatchObject([
      { kind: "contradiction", blocks: true, acceptedBy: "approver", because: expect.stringMatching(/report 1.*550\.90\.07/) },
    ]);
    expect(ruled(decide(seen, policy, NOW))).toContain("t1>unresolved");
    expect(taken(seen)).toBe(false);
  });

  it("a signed canary that is down contradicts it too; it stays accepted, which is what was signed", () => {
    const seen = s({ service: down }, {});
    expect(found(seen)).toMatchObject([{ kind: "contradiction", blocks: true }]);
    expect(ruled(decide(seen, policy, NOW))).not.toContain("t1>unresolved");
    expect(taken(seen)).toBe(false);
  });

  it("another driver on an accepted member is a relapse: unresolved, and no batch starts", () => {
    const seen = s({}, { board: board(OLD) });
    expect(found(seen)).toMatchObject([{ kind: "relapse", blocks: true, key: `relapse/t2/1/host_report/${OLD}` }]);
    expect(ruled(decide(seen, policy, NOW))).toContain("t2>unresolved");
    expect(taken(seen)).toBe(false);
  });

  it("is said once, and not again once it was accepted", () => {
    const key = "contradiction/report-1/down/1";
    expect(found(s({ service: down }, {}, { findings: [open(key)] }))).toEqual([]);
    const said = aDecision({ id: "d-9", kind: "finding_accepted", on: { what: "finding", id: "f-9" } });
    const closed = { findings: [open(key, { closedAt: at(-1) })], decisions: [aDecision(), aSignOff(), said] };
    expect(found(s({ service: down }, {}, closed))).toEqual([]);
    expect(taken(s({ service: down }, {}, closed))).toBe(true);
  });

  it("a relapse of a member ends with its cause; what contradicts a signature is a person's to accept", () => {
    const findings = [open("relapse/t2/1/down/1"), { ...open("contradiction/report-1/down/1"), id: "f-8" }];
    const moves = decide(s({}, {}, { findings }), policy, NOW).moves.filter((m) => m.move === "close_finding");
    expect(moves).toMatchObject([{ key: "relapse/t2/1/down/1" }]);
    expect(nextAction(s({}, {}, { findings: findings.slice(1) }), policy, NOW)).toMatchObject({ action: "accept-finding", on: "f-8" });
  });

  it("what nobody has read, or was read before the node was accepted, contradicts nothing (R2.3)", () => {
    expect(found(s({ board: null }, { service: aValue(aService({ state: "down" }), at(-30)) }))).toEqual([]);
  });

  it("what another change does to the node meanwhile is no relapse (R6.5)", () => {
    const gone = { board: board("580.1") };
    expect(found(s({}, gone, { others: [{ name: "gpu002", gpus: 8, because: "other_change" }] }))).toEqual([]);
    expect(found(s({}, gone, { handOf: "chg-9" as Snapshot["handOf"] }))).toEqual([]);
  });

  it("its passed layer is unresolved then: two answers that differ; it is read again or goes back by a person's decision (R2.3, R2.6)", () => {
    const relapsed = s({}, { step: "unresolved", since: at(-1), board: board(OLD) }, { checks: [...aSnapshot().checks, ...passed(2)] });
    const judged = decide(relapsed, policy, NOW).moves.filter((m) => m.move === "judge");
    expect(judged).toMatchObject([{ judged: { verdict: "unresolved", reason: "sources_disagree" } }]);
    const checks = relapsed.checks.map((c) => (judged.some((m) => m.checkId === c.id) ? { ...c, verdict: "unresolved" as const } : c));
    const then = { ...relapsed, checks };
    expect(ruled(decide(then, policy, NOW)).filter((w) => w.startsWith("t2>"))).toEqual([]);
    expect(nextAction(then, policy, NOW)).toMatchObject({ by: "person", action: "run-check" });
    const back = permittedActions(then, policy, NOW).find((a) => a.action === "roll-back-node" && a.on === "gpu002");
    expect(back?.permitted).toBe(true);
  });
});
