import { expect } from "@playwright/test";

import { expectAccessible, signInAs, test } from "./console";

test("a token is shown once, opens the API with its person's rights, and opens nothing after it is revoked (R12.3)", async ({ page }) => {
  await signInAs(page, "Operator");
  await page.goto("/settings");
  await page.getByLabel("What it is for").fill("pipeline of tonight");
  await page.getByRole("button", { name: "Make a token" }).click();
  const made = page.getByRole("status").getByText(/^clr_/);
  await expect(made).toBeVisible();
  const headers = { authorization: `Bearer ${await made.innerText()}` };
  expect((await page.request.get("/api/v1/changes", { headers })).status()).toBe(200);
  expect((await page.request.post("/api/v1/changes", { headers, data: "title: x" })).status()).toBe(403);
  const row = page.getByRole("row").filter({ hasText: "pipeline of tonight" });
  await row.getByRole("button", { name: "Revoke pipeline of tonight" }).click();
  await expect(row).toContainText("revoked");
  expect((await page.request.get("/api/v1/changes", { headers })).status()).toBe(401);
  await page.reload();
  await expect(page.getByText(/^clr_/)).toHaveCount(0);
  await expectAccessible(page);
});

test("a connection test asks every system of a cluster and changes nothing", async ({ page }) => {
  await signInAs(page, "Viewer");
  await page.goto("/clusters");
  const cluster = page.getByRole("region", { name: "sim-test" });
  await cluster.getByRole("button", { name: "Test the connections of sim-test" }).click();
  await expect(cluster.getByText("Every system answers.")).toBeVisible({ timeout: 30_000 });
  await expect(cluster.getByText(/read nodes: yes, 16 nodes/)).toBeVisible();
});
