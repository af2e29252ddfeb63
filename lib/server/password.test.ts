import { expect, test } from "vitest";

import { hashPassword, verifyPassword } from "./password";

test("a password fits its own hash and no other", async () => {
  const stored = await hashPassword("correct horse");
  expect(stored).toMatch(/^scrypt\$16384\$8\$1\$/);
  expect(await verifyPassword("correct horse", stored)).toBe(true);
  expect(await verifyPassword("Correct horse", stored)).toBe(false);
  expect(await hashPassword("correct horse")).not.toBe(stored);
});

test.each([null, "", "plain", "scrypt$1$1$1$$", "scrypt$99999999999$8$1$AA$AA", "scrypt$16384$8$1$AA$", "bcrypt$16384$8$1$AA$AA"])(
  "what is not a hash fits nothing: %s",
  async (stored) => {
    expect(await verifyPassword("", stored)).toBe(false);
    expect(await verifyPassword("x", stored)).toBe(false);
  },
);

test("a password of megabytes is refused before it costs anything", async () => {
  expect(await verifyPassword("x".repeat(5_000_000), await hashPassword("x"))).toBe(false);
});
