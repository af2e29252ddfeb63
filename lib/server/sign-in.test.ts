import { expect, test } from "vitest";

import { type PersonId } from "@/lib/core/kernel/ids";
import { type PersonView } from "@/lib/ports/rows";

import { hashPassword } from "./password";
import { byEmail, byInitials, byPassword, isSessionGood } from "./sign-in";
import { signInAttempts } from "./sign-in-attempts";

const MR: PersonView = {
  id: "MR" as PersonId,
  name: "MR",
  email: "mr@site.example",
  roles: ["approver"],
  disabled: false,
  sessionsAfter: new Date(1000),
};
const stored = await hashPassword("right");
const store = (person: PersonView) => ({
  person: async (id: string) => (id === person.id ? person : null),
  people: async () => [person],
  passwordOf: async (email: string) => (email === person.email ? { person, hash: stored } : null),
});

test("the right password signs in, in any case of the address; everything else looks alike", async () => {
  const attempts = signInAttempts();
  expect(await byPassword(store(MR), attempts, { email: " MR@site.example ", password: "right" }, 0)).toBe(MR);
  for (const told of [
    undefined,
    {},
    { email: MR.email },
    { email: MR.email, password: "wrong" },
    { email: "x@y", password: "right" },
    { email: ["a"], password: {} },
  ]) {
    expect(await byPassword(store(MR), attempts, told, 0)).toBeNull();
  }
});

test("a disabled person does not sign in by any door", async () => {
  const gone = { ...MR, disabled: true };
  expect(await byPassword(store(gone), signInAttempts(), { email: MR.email, password: "right" }, 0)).toBeNull();
  expect(await byInitials(store(gone), { id: "MR" }, [{ id: "MR" }])).toBeNull();
  expect(await byEmail(store(gone), { email: MR.email })).toBeNull();
});

test("after ten failures even the right password waits", async () => {
  const attempts = signInAttempts();
  for (let i = 0; i < 10; i++) attempts.failed(MR.email, i);
  expect(await byPassword(store(MR), attempts, { email: MR.email, password: "right" }, 20)).toBeNull();
});

test("a demo button signs in demo people only", async () => {
  expect(await byInitials(store(MR), { id: "MR" }, [{ id: "MR" }])).toBe(MR);
  expect(await byInitials(store(MR), { id: "MR" }, [{ id: "AK" }])).toBeNull();
});

test("an address that the provider did not confirm is nobody", async () => {
  expect(await byEmail(store(MR), { email: "MR@site.example", email_verified: true })).toBe(MR);
  expect(await byEmail(store(MR), { email: MR.email, email_verified: false })).toBeNull();
  expect(await byEmail(store(MR), {})).toBeNull();
});

test("a session ends when the person is disabled or all sessions were ended", () => {
  expect(isSessionGood(MR, 1000)).toBe(true);
  expect(isSessionGood(MR, 999)).toBe(false);
  expect(isSessionGood(MR, undefined)).toBe(false);
  expect(isSessionGood({ ...MR, disabled: true }, 2000)).toBe(false);
  expect(isSessionGood(null, 2000)).toBe(false);
});
