import { expect, test } from "vitest";

import { contentSecurityPolicy } from "./content-security-policy";

const policy = (over: Partial<Parameters<typeof contentSecurityPolicy>[0]> = {}): string =>
  contentSecurityPolicy({ nonce: "N", signInOrigin: null, dev: false, ...over });

test("scripts and style elements need the nonce; nothing is evaluated or framed", () => {
  expect(policy()).toContain("script-src 'self' 'nonce-N' 'strict-dynamic';");
  expect(policy()).toContain("style-src 'self' 'nonce-N'; style-src-attr 'unsafe-inline';");
  expect(policy()).toContain("frame-ancestors 'none'");
  expect(policy()).not.toContain("unsafe-eval");
});

test("a sign-in form may be redirected to the provider and nowhere else", () => {
  expect(policy()).toContain("form-action 'self';");
  expect(policy({ signInOrigin: "https://login.example" })).toContain("form-action 'self' https://login.example;");
});

test("only the development build may evaluate code", () => {
  expect(policy({ dev: true })).toContain("'unsafe-eval'");
});
