import { expect } from "@playwright/test";

import { expectAccessible, signInAs, test } from "./console";
import { changeByApi, recordPlanByApi, rehearsalPlan } from "./demo-api";

test("whoever takes over reads one page: the totals are the API's, closed steps say why, and it goes along as Markdown (R8.6, S7)", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAs(page, "Viewer");
  const id = await recordPlanByApi(page, "AK", rehearsalPlan("Rehearsal to hand over", "t[013-016]"));
  await page.goto("/handoff");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Handoff");
  await page.getByRole("link", { name: id }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Handoff, Rehearsal to hand over");
  const told = await changeByApi(page, "AK", id);
  await expect(page.getByText(told.headline.next).first()).toBeVisible();
  const totals = page.getByRole("region", { name: "Nodes of the plan" });
  for (const [word, count] of Object.entries(told.tally))
    if (count > 0) await expect(totals).toContainText(`${count} ${word.toLowerCase()}`);
  await expect(totals).toContainText("= 4 in plan");
  const rows = page.getByRole("region", { name: "Plan against actual" }).getByRole("row");
  await expect(rows).toHaveCount(1 + 4);
  const questions = page.getByRole("region", { name: "Five questions" });
  await expect(questions.getByRole("listitem").filter({ hasText: "Start batch 1" })).toContainText("Closed.");
  await expect(questions).toContainText("DV decides whether to continue.");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`# Handoff ${id}: Rehearsal to hand over`);
  expect(copied).toContain("= 4 in plan");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
