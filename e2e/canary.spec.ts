import { expect } from "@playwright/test";

import { expectAccessible, signInAs, test } from "./console";
import { recordPlanByApi, rehearsalPlan } from "./demo-api";

test("a change without a canary record says so and what is next", async ({ page }) => {
  await signInAs(page, "Approver");
  const id = await recordPlanByApi(page, "AK", rehearsalPlan("Rehearsal without a record", "t[003-004]"));
  await page.goto(`/changes/${id}/canary`);
  await expect(page.getByText("No canary record is frozen yet.")).toBeVisible();
  await expectAccessible(page);
});
