import type { DecisionView } from "@/lib/core/change/snapshot";
import { aHash } from "./a-hash";
import { at } from "./a-moment";
import { MR } from "./a-person";

export const PLAN_FINGERPRINT = aHash("plan 1");
export const REPORT_FINGERPRINT = aHash("report 1");

/** An approval of the plan as it stands. */
export const aDecision = (overrides: Partial<DecisionView> = {}): DecisionView => ({
  id: "decision-approval",
  kind: "plan_approval",
  on: { what: "change", id: "chg-1" },
  choice: "approve",
  byId: MR,
  at: at(-300),
  until: null,
  permits: "preflight and the canaries of this plan",
  fingerprint: PLAN_FINGERPRINT,
  reason: "window and rehearsals are in order",
  revoked: false,
  facts: {},
  ...overrides,
});

/** A sign-off of the canary's report; binds to report and plan (R4.3). */
export const aSignOff = (overrides: Partial<DecisionView> = {}): DecisionView =>
  aDecision({
    id: "decision-sign-off",
    kind: "sign_off",
    on: { what: "report", id: "report-1" },
    choice: "sign",
    at: at(-8),
    permits: "batches of h100-8/cx7-8/ubuntu22",
    fingerprint: REPORT_FINGERPRINT,
    reason: "same numbers as before",
    facts: { plan: PLAN_FINGERPRINT },
    ...overrides,
  });
