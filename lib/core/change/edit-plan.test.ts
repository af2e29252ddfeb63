import { describe, expect, it } from "vitest";
import { aHash } from "@/lib/testing/a-hash";
import { aLayout } from "@/lib/testing/a-layout";
import { NOW } from "@/lib/testing/a-moment";
import { AK } from "@/lib/testing/a-person";
import { aPlan } from "@/lib/testing/a-plan";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import type { Plan } from "@/lib/core/plan/plan";
import { ActionRequest } from "./action-request";
import { applyAction } from "./apply-action";
import { Policy } from "./policy";

const [FIRST] = aPlan().validate;

/** AK edits a plan in draft; the line of the audit it writes. */
function edited(plan: Plan, layout = aLayout(), reason?: string) {
  const s = aSnapshot({ change: { state: "PENDING", startedAt: null } });
  const revision = { plan, layout, fingerprint: aHash(JSON.stringify(plan)), standingFingerprint: aHash("standing") };
  const request = ActionRequest.parse({ action: "edit-plan", yaml: "x", ...(reason === undefined ? {} : { reason }) });
  const actor = { id: AK, roles: ["operator"] as const };
  const applied = applyAction(s, request, { actor, now: NOW, policy: Policy.parse({}), hash: aHash, id: "id-1", revision });
  if (!applied.ok) throw new Error(applied.error.because);
  return applied.value.event;
}

describe("an edited plan shows its difference to whoever approves again (R4.1)", () => {
  it("by path, with what was and what is, beside the reason", () => {
    const event = edited(aPlan({ batchSize: 2 }), aLayout(), "the drivers of two racks first");
    expect(event.because).toBe("the drivers of two racks first (batchSize: 4 to 2)");
    expect(event.facts).toMatchObject({ differences: [{ path: "batchSize", was: "4", now: "2" }] });
  });
  it("names the nodes that came and went", () => {
    const layout = aLayout();
    const fewer = { ...layout, batches: layout.batches.slice(0, 2) };
    expect(edited(aPlan(), fewer).because).toMatch(/\(nodes: gpu009, gpu010, gpu011, gpu012 to nothing\)$/);
  });
  it("is silent about what no approval binds to", () => expect(edited(aPlan({ title: "another title" })).because).not.toContain("("));
  it("names five and counts the others; all stand in the facts", () => {
    const many = aPlan({ validate: Array.from({ length: 9 }, (_, i) => ({ ...FIRST, name: `check ${i}` }) as Plan["validate"][number]) });
    const event = edited(many);
    expect(event.because).toMatch(/; and \d+ more\)$/);
    expect((event.facts["differences"] as readonly unknown[]).length).toBeGreaterThan(8);
  });
});
