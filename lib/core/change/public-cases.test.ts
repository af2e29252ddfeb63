import { describe, expect, it } from "vitest";
import { aCheck, aPreflight } from "@/lib/testing/a-check";
import { aDecision } from "@/lib/testing/a-decision";
import { aHash } from "@/lib/testing/a-hash";
import { NOW, at } from "@/lib/testing/a-moment";
import { MR } from "@/lib/testing/a-person";
import { aReport, aReportView } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { ActionRequest } from "./action-request";
import { applyAction } from "./apply-action";
import { gateStates } from "./gate";
import { Policy } from "./policy";
import { permittedActions } from "./permitted-actions";
import type { Snapshot } from "./snapshot";
import { toChangeView } from "./view/to-change-view";

const policy = Policy.parse({});
const reason = "known: the library came with the image of last week";
const asMR = { actor: { id: MR, roles: ["approver"] as const }, now: NOW, policy, hash: aHash, id: "id-1" };
const act = (s: Snapshot, request: object) => applyAction(s, ActionRequest.parse(request), asMR);

describe("case 2: an undeclared change of the communication library", () => {
  const undeclared = [{ what: "NCCL", before: "2.19.3", after: "2.20.3" }];
  const s = aSnapshot({ decisions: [aDecision()], readings: [], reports: [aReportView({ body: aReport({ undeclared }) })] });
  const signOff = { action: "sign-off", on: "report-1", reason };
  it("keeps the release closed until the finding is acknowledged", () => {
    expect(act(s, signOff)).toMatchObject({
      ok: false,
      error: { code: "closed", because: expect.stringContaining("undeclared change: NCCL 2.19.3 to 2.20.3") },
    });
    expect(gateStates(s, policy, NOW).sign_off.is).not.toBe("done");
    const batches = permittedActions(s, policy, NOW).filter((a) => a.action === "start-batch");
    expect(batches.map((a) => a.permitted)).toEqual(batches.map(() => false));
    expect(batches.length).toBeGreaterThan(0);
  });
  it("cannot be acknowledged without a reason, nor by another finding's name", () => {
    expect(ActionRequest.safeParse({ action: "sign-off", on: "report-1", acknowledges: ["undeclared/NCCL"] }).success).toBe(false);
    expect(act(s, { ...signOff, acknowledges: ["undeclared/driver"] })).toMatchObject({ ok: false, error: { code: "closed" } });
  });
  it("is released with the acknowledgement and its reason on record", () =>
    expect(act(s, { ...signOff, acknowledges: ["undeclared/NCCL"] })).toMatchObject({
      ok: true,
      value: {
        moves: [
          {
            kind: "sign_off",
            reason,
            facts: { acknowledges: [{ code: "undeclared/NCCL", text: "undeclared change: NCCL 2.19.3 to 2.20.3" }] },
          },
        ],
      },
    }));
});

describe("case 10: a check without evidence", () => {
  const unresolved = aCheck({ verdict: "unresolved", reason: "no_data", because: "the answer is empty", name: "remapped rows" });
  const s = aSnapshot({
    targets: [aTarget(1, { step: "unresolved", updateBegan: true }), aTarget(2)],
    checks: [...aPreflight(), unresolved],
    reports: [],
    readings: [],
    decisions: [aDecision()],
  });
  const until = at(60).toISOString();
  it("keeps the canary step open", () => expect(gateStates(s, policy, NOW).canary.is).not.toBe("done"));
  it.each([
    ["a reason", { action: "waive", on: unresolved.id, until }],
    ["an expiry", { action: "waive", on: unresolved.id, reason }],
  ])("is not advanced without %s", (_what, request) => expect(ActionRequest.safeParse(request).success).toBe(false));
  it('is advanced by a named person only, and shows as "advanced without evidence" in decision and check', () => {
    const acted = act(s, { action: "waive", on: unresolved.id, reason, until });
    expect(acted).toMatchObject({
      ok: true,
      value: {
        moves: [
          {
            kind: "waiver",
            byId: MR,
            until: at(60),
            reason,
            permits: `gpu001 is advanced without evidence for "remapped rows" until ${until}`,
          },
        ],
      },
    });
    const waived = { ...s, checks: [...aPreflight(), { ...unresolved, waivedUntil: at(60) }] };
    const row = toChangeView(waived, policy, NOW, [], waived).checks.find((c) => c.name === "remapped rows");
    expect(row).toMatchObject({ verdict: "unresolved", because: "the answer is empty; advanced without evidence" });
    const expired = { ...s, checks: [...aPreflight(), { ...unresolved, waivedUntil: at(-1) }] };
    expect(toChangeView(expired, policy, NOW, [], expired).checks.find((c) => c.name === "remapped rows")).toMatchObject({
      word: "Unresolved",
      because: "the answer is empty; advanced without evidence",
    });
  });
});
