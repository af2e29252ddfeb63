import { expect, it } from "vitest";
import { AK, MR } from "@/lib/testing/a-person";
import type { ActionState } from "./action-state";
import type { Action } from "./actions";
import { waitsFor } from "./waits-for";

const state = (action: Action, people: readonly string[], permitted = true, on: string | null = null): ActionState =>
  ({
    action,
    on,
    who: { by: ["approver", "operator"], people, notPeople: [], wrote: [], already: [], readFirst: [] },
    ...(permitted ? { permitted } : { permitted, because: [] }),
  }) as unknown as ActionState;
const mr = { id: MR, roles: ["approver"] as const };

it("what waits for a person: their next action first, then answers only they can give, the most blocking first", () => {
  const actions = [
    state("approve-plan", [MR]),
    state("pause", [MR]),
    state("waive", [MR], true, "check/1"),
    state("decide", [MR], true, "3"),
    state("sign-off", [MR], true, "report/1"),
  ];
  expect(waitsFor(mr, actions, { by: "person", action: "sign-off", on: "report/1", who: [MR] })).toEqual([
    { action: "sign-off", on: "report/1", next: true },
    { action: "decide", on: "3", next: false },
    { action: "waive", on: "check/1", next: false },
    { action: "approve-plan", on: null, next: false },
  ]);
});

it("nothing waits for who may not act, nor for anybody where the action is closed (R4.3)", () => {
  const next = { by: "person", action: "sign-off", on: null, who: [AK] } as const;
  expect(waitsFor(mr, [state("sign-off", [AK])], next)).toEqual([]);
  expect(waitsFor(mr, [state("sign-off", [MR], false)], next)).toEqual([]);
  expect(waitsFor(mr, [state("start-batch", [MR])], { by: "nobody", because: "ended" })).toEqual([]);
});
