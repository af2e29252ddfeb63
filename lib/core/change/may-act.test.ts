import { describe, expect, it } from "vitest";
import type { Role } from "@/lib/core/access/roles";
import { ROLES } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import { NOW } from "@/lib/testing/a-moment";
import { AD, AK, DV, JS, LT, MR, RB } from "@/lib/testing/a-person";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { ACTION_TRAITS, ACTIONS } from "./actions";
import type { ActionState } from "./action-state";
import { mayAct } from "./may-act";
import { permittedActions } from "./permitted-actions";
import { Policy } from "./policy";
import { isRole } from "./who-may";

const policy = Policy.parse({});
const states = permittedActions(aSnapshot({ readings: [] }), policy, NOW);
const stateOf = (action: string): ActionState => {
  const found = states.find((x) => x.action === action);
  if (found === undefined) throw new Error(`no state for ${action}`);
  return found;
};
const PERSONS: readonly PersonId[] = [AK, LT, MR, JS, DV, RB, AD];
const rolesOf = (id: PersonId): readonly Role[] =>
  ROLES.filter((role) =>
    aSnapshot()
      .people.find((p) => p.id === id)
      ?.roles.includes(role),
  );

describe("actions by role and relation (R4.4, MODEL 4.4)", () => {
  it("every action of the table is there but the two of a cluster", () => {
    expect([...new Set(states.map((x) => x.action))].sort()).toEqual(ACTIONS.filter((a) => a !== "stop-all" && a !== "lift-stop").sort());
  });

  const byRole = ACTIONS.filter((a) => a !== "stop-all" && a !== "lift-stop" && ACTION_TRAITS[a].by.every(isRole));
  it.each(byRole)("%s is for exactly those with the role who are apart from it", (action) => {
    const { by, apart } = ACTION_TRAITS[action];
    for (const id of PERSONS) {
      const has = by.some((role) => isRole(role) && rolesOf(id).includes(role));
      const own = apart && id === AK;
      expect([id, mayAct(stateOf(action), { id, roles: rolesOf(id) }).allowed]).toEqual([id, has && !own]);
    }
  });
  it("a role lost since the record was read counts as lost", () =>
    expect(mayAct(stateOf("approve-plan"), { id: MR, roles: ["viewer"] })).toMatchObject({
      allowed: false,
      because: { code: "role", needs: "approver" },
    }));

  const posts: readonly [string, PersonId, boolean][] = [
    ["decide", DV, true],
    ["decide", AK, false],
    ["close", AK, true],
    ["close", DV, false],
    ["withdraw", AK, true],
    ["offer-ownership", AK, true],
    ["record-reading", JS, true],
    ["record-reading", RB, false],
    ["release-node", DV, true],
    ["release-node", AK, false],
    ["pause", DV, true],
    ["pause", RB, false],
  ];
  it.each(posts)("%s by %s: %s", (action, id, allowed) =>
    expect(mayAct(stateOf(action), { id, roles: rolesOf(id) }).allowed).toBe(allowed),
  );

  it("nobody approves, signs or waives what they wrote or ran, whatever their roles", () => {
    const s = aSnapshot({
      separation: { authorIds: [AK], ranIds: [AK, MR] },
      people: aSnapshot().people.map((p) => ({ ...p, roles: ROLES })),
    });
    for (const action of ["approve-plan", "sign-off", "waive", "reject-canary", "revoke", "grant-relaxation"]) {
      const state = permittedActions(s, policy, NOW).find((x) => x.action === action);
      if (state === undefined) throw new Error(action);
      expect(mayAct(state, { id: AK, roles: ROLES })).toMatchObject({ allowed: false, because: { code: "own_work", did: "wrote" } });
      expect(mayAct(state, { id: MR, roles: ROLES })).toMatchObject({ allowed: false, because: { code: "own_work", did: "ran" } });
    }
  });
  it("a rehearsal is approved by its operator, and keeps nobody apart, unless the site is stricter", () => {
    const approve = (strict: boolean) => {
      const rules = Policy.parse({ stricter: { secondReadingAlways: false, approverForRehearsal: strict } });
      const state = permittedActions(aSnapshot({ change: { profile: "rehearsal" } }), rules, NOW).find((x) => x.action === "approve-plan");
      if (state === undefined) throw new Error("approve-plan");
      return mayAct(state, { id: AK, roles: ["operator"] }).allowed;
    };
    expect([approve(false), approve(true)]).toEqual([true, false]);
  });
  it("one person as approver and second reader reads before signing", () => {
    const people = { ...aSnapshot().change.people, secondEngineer: [MR] };
    const state = permittedActions(aSnapshot({ change: { people }, readings: [] }), policy, NOW).find((x) => x.action === "sign-off");
    if (state === undefined) throw new Error("sign-off");
    expect(mayAct(state, { id: MR, roles: ["approver"] })).toEqual({ allowed: false, because: { code: "reads_first", personId: MR } });
  });
  it("whoever signed the record is no second reader of it", () => {
    const people = { ...aSnapshot().change.people, secondEngineer: [MR, JS] };
    const state = permittedActions(aSnapshot({ change: { people } }), policy, NOW).find((x) => x.action === "record-reading");
    if (state === undefined) throw new Error("record-reading");
    expect(mayAct(state, { id: MR, roles: ["approver"] }).allowed).toBe(false);
  });
});
