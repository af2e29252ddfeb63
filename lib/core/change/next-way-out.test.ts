import { describe, expect, it } from "vitest";
import { aBatch } from "@/lib/testing/a-batch";
import { aDecision } from "@/lib/testing/a-decision";
import { aHash } from "@/lib/testing/a-hash";
import { NOW } from "@/lib/testing/a-moment";
import { AK, DV } from "@/lib/testing/a-person";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aService, aTarget, aValue } from "@/lib/testing/a-target";
import { applyAction } from "./apply-action";
import { nextAction } from "./next-action";
import { permittedActions } from "./permitted-actions";
import { Policy } from "./policy";
import type { Snapshot } from "./snapshot";
import type { Target } from "./target";

const policy = Policy.parse({});
/** The canary as given, three members that wait unless given; no report yet. */
const withCanary = (canary: Partial<Target>, members: Partial<Target> = {}, more: Parameters<typeof aSnapshot>[0] = {}): Snapshot =>
  aSnapshot({
    targets: [aTarget(1, canary), ...[2, 3, 4].map((n) => aTarget(n, members))],
    batches: [aBatch(1, { state: "decided", askedFor: true })],
    decisions: [aDecision()],
    reports: [],
    readings: [],
    ...more,
  });
const rejection = aDecision({ id: "d-9", kind: "rejection", on: { what: "report", id: "report-1" }, choice: "reject" });
const there = (state: "in_service" | "drained") => ({ service: aValue(aService({ state, reason: state === "drained" ? "fan" : null })) });

describe("a class whose canary is lost has a way out, and a person has it (R5.4, R7.4)", () => {
  const rows: readonly [string, Snapshot, object][] = [
    ["went back: tried again", withCanary({ step: "rolled_back", updateBegan: true }), { action: "retry-node", on: "gpu001" }],
    [
      "its rollback failed: tried again",
      withCanary({ step: "rollback_failed", updateBegan: true }),
      { action: "retry-node", on: "gpu001" },
    ],
    [
      "failed and the batch was decided: goes back",
      withCanary({ step: "failed", updateBegan: true }),
      { action: "roll-back-node", on: "gpu001" },
    ],
    [
      "left out by the plan's drain limit: tried again, once it is free",
      withCanary({ step: "skipped", ...there("in_service") }),
      { action: "retry-node" },
    ],
    [
      "withheld, still drained by somebody: left out, which names another",
      withCanary({ step: "withheld", ...there("drained") }),
      { action: "defer-node", on: "gpu001" },
    ],
    [
      "withheld and free again: tried again",
      withCanary({ step: "withheld", ...there("in_service") }),
      { action: "retry-node", on: "gpu001" },
    ],
    ["powered down: left out, which names another", withCanary({ step: "not_running" }), { action: "withdraw-node", on: "gpu001" }],
    [
      "handed over and nobody followed it: whoever waits is left for later",
      withCanary({ step: "released", updateBegan: true }),
      { action: "defer-node", on: "gpu002" },
    ],
    [
      "waits for its leaf, which a node that did not go back keeps: that one is handed over (R6.1)",
      aSnapshot({
        targets: [aTarget(1), aTarget(5, { step: "rollback_failed", rollback: [], updateBegan: true })],
        batches: [aBatch(1), aBatch(2, { state: "decided", askedFor: true })],
        decisions: [aDecision()],
        reports: [],
        readings: [],
      }),
      { action: "release-node", on: "gpu005" },
    ],
    [
      "rejected, and nothing of it could go back: the rejection can be taken back",
      aSnapshot({ decisions: [aDecision(), rejection] }),
      { action: "revoke", on: "d-9" },
    ],
    [
      "accepted without a record: it goes back and through again",
      withCanary({ step: "accepted", updateBegan: true }),
      { action: "roll-back-node", on: "gpu001" },
    ],
    [
      "handed over, and nobody waits: the change is closed by its owner (R7.3)",
      withCanary({ step: "released", updateBegan: true }, { step: "deferred" }),
      { action: "close", who: [AK] },
    ],
    [
      "went back, and nobody waits: the change is closed by its owner (R7.3)",
      withCanary({ step: "rolled_back", updateBegan: true }, { step: "skipped" }),
      { action: "close" },
    ],
  ];
  it.each(rows)("%s", (_says, s, expected) => {
    const next = nextAction(s, policy, NOW);
    expect(next).toMatchObject({ by: "person", ...expected });
    if (next.by !== "person") return;
    expect(permittedActions(s, policy, NOW).find((a) => a.action === next.action && a.on === next.on)?.permitted).toBe(true);
  });

  it("handing a canary over names the next waiting node as canary, and the decision says so (R5.4)", () => {
    const s = withCanary({ step: "unresolved", updateBegan: true }, {}, { batches: [aBatch(1, { state: "running", askedFor: true })] });
    const request = { action: "release-node" as const, on: "gpu001", reason: "board is replaced", owner: DV, ticket: "INC1" };
    const applied = applyAction(s, request, { now: NOW, policy, hash: aHash, id: "d-1", actor: { id: DV, roles: ["operator"] } });
    expect(applied.ok && applied.value.moves).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ move: "decision", permits: expect.stringContaining("gpu002 becomes the canary") }),
        expect.objectContaining({ move: "role", targetId: "t1", role: "member" }),
        expect.objectContaining({ move: "role", targetId: "t2", role: "canary" }),
      ]),
    );
  });
});
