import { expect } from "@playwright/test";

import { expectAccessible, signInAs, test } from "./console";

test("the inventory is filtered and sorted by its address, goes along as CSV, and leads to a node by keyboard", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAs(page, "On call");
  await page.goto("/inventory?cluster=sim-h100&show=out");
  const table = page.getByRole("region", { name: "Nodes" });
  await expect(table.getByRole("row").filter({ hasText: "DIMM replacement, ticket 123" })).toContainText("gpu023");
  await page.getByLabel("Find").fill("dimm");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(page).toHaveURL(/find=dimm/);
  await expect(table.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Copy as CSV" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim().split("\r\n")).toHaveLength(2);
  expect(copied).toContain("sim-h100,gpu023,");
  await page.goto("/inventory?cluster=sim-h100&sort=name");
  await expect(table.getByRole("rowheader").first()).toHaveText("gpu001");
  await table.getByRole("columnheader", { name: "Leaf" }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=leaf/);
  await page.goto("/inventory?cluster=sim-h100&find=gpu023");
  await table.getByRole("link", { name: "gpu023" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("gpu023");
  await expect(page.getByText("DIMM replacement, ticket 123").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "What each layer says" })).toContainText("Host report");
  await expectAccessible(page);
});

test.describe("a node that is not", () => {
  test.use({ allowed: /404/ });
  test("says so", async ({ page }) => {
    await signInAs(page, "Viewer");
    const answer = await page.goto("/inventory/sim-h100/gpu999");
    expect(answer?.status()).toBe(404);
  });
});
