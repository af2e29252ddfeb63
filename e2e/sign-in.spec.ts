import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "@playwright/test";

import { expectAccessible, signInAs, test } from "./console";

test("anonymous people see the sign-in page, and come back to where they wanted to go", async ({ page }) => {
  await page.goto("/changes?state=PENDING");
  await expect(page).toHaveURL(/\/sign-in\?to=%2Fchanges%3Fstate%3DPENDING$/);
  await page.getByRole("button", { name: "Approver" }).click();
  await expect(page).toHaveURL(/\/changes\?state=PENDING$/);
});

test("the sign-in page is accessible in light and dark", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to see where each change stands and what is next.");
  await expectAccessible(page);
});

test("a demo person is named in the bar and can sign out", async ({ page }) => {
  await signInAs(page, "Operator");
  await expect(page.getByRole("banner")).toContainText("AK, operator");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Demo people" })).toBeVisible();
  await page.goto("/changes");
  await expect(page).toHaveURL(/\/sign-in/);
});

test.describe("local accounts", () => {
  // The browser itself reports the refused sign-in.
  test.use({ allowed: /status of 401/ });

  test("a local account signs in with its password; a wrong one is refused beside the form and what was typed stays", async ({ page }) => {
    const dataDir = process.env.CLEARANCE_E2E_DATA ?? ".clearance";
    const people = JSON.parse(readFileSync(join(dataDir, "demo-people.json"), "utf8")) as { id: string; email: string; password: string }[];
    const lt = people.find(({ id }) => id === "LT");
    if (lt === undefined) throw new Error("LT is not among the demo people");
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(lt.email);
    await page.getByLabel("Password").fill("not this one");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "do not fit an account" })).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue(lt.email);
    await page.getByLabel("Password").fill(lt.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("banner")).toContainText("LT, workload owner");
  });
});

test("every answer carries the security headers, and a forged session is nobody", async ({ page, request }) => {
  const answer = await request.get("/sign-in");
  const headers = answer.headers();
  expect(headers["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]+' 'strict-dynamic'/);
  expect(headers["x-frame-options"]).toBe("DENY");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["x-powered-by"]).toBeUndefined();
  await page.context().addCookies([{ name: "next-auth.session-token", value: "forged", url: new URL(answer.url()).origin }]);
  await page.goto("/changes");
  await expect(page).toHaveURL(/\/sign-in/);
});
