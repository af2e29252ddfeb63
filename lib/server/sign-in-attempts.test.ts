import { expect, test } from "vitest";

import { signInAttempts } from "./sign-in-attempts";

test("ten failures close an account for a quarter of an hour, and only that account", () => {
  const attempts = signInAttempts();
  for (let i = 0; i < 10; i++) {
    expect(attempts.mayTry("a", i)).toBe(true);
    attempts.failed("a", i);
  }
  expect(attempts.mayTry("a", 1000)).toBe(false);
  expect(attempts.mayTry("b", 1000)).toBe(true);
  expect(attempts.mayTry("a", 15 * 60_000 + 10)).toBe(true);
});

test("a success forgets the failures", () => {
  const attempts = signInAttempts();
  for (let i = 0; i < 9; i++) attempts.failed("a", i);
  attempts.succeeded("a");
  attempts.failed("a", 10);
  expect(attempts.mayTry("a", 11)).toBe(true);
});
