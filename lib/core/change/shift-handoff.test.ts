import { describe, expect, it } from "vitest";
import { aBatch } from "@/lib/testing/a-batch";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aHold } from "@/lib/testing/a-hold";
import { NOW, at } from "@/lib/testing/a-moment";
import { AK, DV, JS } from "@/lib/testing/a-person";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import type { TargetId } from "@/lib/core/kernel/ids";
import { applyAction } from "./apply-action";
import { explain } from "./explain";
import { permittedActions } from "./permitted-actions";
import { Policy } from "./policy";
import { sentence } from "./sentence";
import { tally } from "./tally";
import { aHash } from "@/lib/testing/a-hash";

const policy = Policy.parse({});
const stepOf = (n: number) =>
  n === 18
    ? ("rolled_back" as const)
    : n === 19
      ? ("rollback_failed" as const)
      : n === 20
        ? ("unresolved" as const)
        : n <= 17
          ? ("accepted" as const)
          : ("waiting" as const);
/** S7: sixteen batches of four, paused after the fifth; node 20 lacks a metric, node 19 did not go back. */
const s = aSnapshot({
  targets: Array.from({ length: 64 }, (_, i) =>
    aTarget(i + 1, { step: stepOf(i + 1), updateBegan: i < 20, ...(i === 18 ? { aim: "prior", generation: 2 } : {}) }),
  ),
  batches: Array.from({ length: 16 }, (_, i) =>
    aBatch(i + 1, { state: i < 4 ? "succeeded" : i === 4 ? "decided" : "waiting", askedFor: i < 5 }),
  ),
  checks: [
    ...aPreflight(),
    aCheck({
      targetId: "t20" as TargetId,
      name: "remapped rows",
      verdict: "unresolved",
      because: "7 of 8 GPUs reported, missing index 7",
      reason: "too_few",
    }),
  ],
  holds: [aHold()],
  rollback: { failedBatches: 1 },
});
const words = (because: Parameters<typeof sentence>[0]) =>
  sentence(because, { person: (id) => s.people.find((p) => p.id === id)?.name ?? id });

describe("S7: shift handoff", () => {
  it("17 + 1 + 1 + 1 + 44 = 64", () => {
    const counts = tally(s.targets);
    expect(counts).toMatchObject({ Accepted: 17, "Rolled back": 1, "Rollback failed": 1, Unresolved: 1, "Not attempted": 44 });
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(64);
  });
  it("the next action is to resolve or waive the check on the unresolved node", () => {
    const told = explain(s, policy, NOW);
    expect(told.next).toBe('Next: resolve or waive the check "remapped rows" on gpu020 (Anna Krol, Dina Vogt).');
    expect(told.stands).toContain("64 nodes");
  });
  it("start batch 6 is closed, with every reason", () => {
    const state = permittedActions(s, policy, NOW).find((a) => a.action === "start-batch" && a.on === "6");
    expect(state).toMatchObject({ permitted: false });
    const because = state === undefined || state.permitted ? [] : state.because.map(words);
    expect(because).toContain("Batch 5 is undecided: decide on its nodes first.");
    expect(because).toContain(
      'Check "remapped rows" on gpu020 is unresolved: 7 of 8 GPUs reported, missing index 7. Get the evidence, waive it, or decide on gpu020.',
    );
    expect(because).toContain("Held by Anna Krol, paused by a person: fabric team is looking at leaf02.");
  });
  it("what may be done about the node that did not go back is open to the decision owner", () => {
    const release = permittedActions(s, policy, NOW).find((a) => a.action === "release-node" && a.on === "gpu019");
    expect(release).toMatchObject({ permitted: true, who: { people: [DV] } });
  });
  it("the owner stays the owner until the other accepts; then both names and the time are written", () => {
    const offer = applyAction(
      s,
      { action: "offer-ownership", to: JS },
      { actor: { id: AK, roles: ["operator"] }, now: NOW, policy, hash: aHash, id: "o-1" },
    );
    expect(offer).toMatchObject({ ok: true, value: { moves: [{ move: "offer", to: JS, by: AK }] } });
    const offered = { ...s, offer: { id: "o-1", to: JS, by: AK, expiresAt: at(60) } };
    const context = { actor: { id: JS, roles: ["viewer" as const] }, now: NOW, policy, hash: aHash, id: "x" };
    const accepted = applyAction(offered, { action: "accept-ownership" }, context);
    expect(accepted).toMatchObject({
      ok: true,
      value: {
        moves: [
          { move: "answer_offer", byId: JS },
          { move: "owner", to: JS },
        ],
        event: { facts: { from: AK, to: JS } },
      },
    });
    expect(applyAction(offered, { action: "accept-ownership" }, { ...context, actor: { id: DV, roles: ["operator"] } })).toMatchObject({
      ok: false,
      error: { code: "not_allowed" },
    });
    expect(applyAction({ ...offered, offer: { ...offered.offer, expiresAt: NOW } }, { action: "accept-ownership" }, context)).toMatchObject(
      { ok: false, error: { code: "closed" } },
    );
  });
});
