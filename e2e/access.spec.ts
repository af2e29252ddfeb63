import { expect } from "@playwright/test";

import { signInAs, test } from "./console";
import { actByApi, changeByApi, recordPlanByApi, rehearsalPlan } from "./demo-api";

const PAGES = [
  "/now",
  "/changes",
  "/changes/new",
  "/inventory",
  "/inventory/sim-test/t001",
  "/handoff",
  "/acceptance-jobs",
  "/clusters",
  "/settings",
];
const OF_CHANGE = ["", "/audit", "/handoff", "/canary"];

test("anonymous people come to the sign-in page from every page", async ({ page }) => {
  for (const address of [...PAGES, ...OF_CHANGE.map((part) => `/changes/CH-101${part}`)]) {
    await page.goto(address);
    await expect(page, address).toHaveURL(/\/sign-in/);
  }
});

for (const role of ["Viewer", "Operator", "Workload owner", "Approver", "Admin"]) {
  test(`${role}: every page opens, with its heading`, async ({ page }) => {
    await signInAs(page, role);
    const id = await recordPlanByApi(page, "AK", rehearsalPlan(`Rehearsal before the eyes of ${role}`, "t[001-002]"));
    for (const address of [...PAGES, ...OF_CHANGE.map((part) => `/changes/${id}${part}`)]) {
      const answer = await page.goto(address);
      expect(answer?.status(), address).toBe(200);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
  });
}

test("who may not act is refused by the API in the words that the page gives beside the closed action (R4, R7.4)", async ({ page }) => {
  const people = [
    ["Viewer", "VW"],
    ["Workload owner", "LT"],
    ["Approver", "MR"],
    ["Admin", "AD"],
  ] as const;
  for (const [role, initials] of people) {
    await page.context().clearCookies();
    await signInAs(page, role);
    const id = await recordPlanByApi(page, "AK", rehearsalPlan(`Rehearsal that ${role} may not withdraw`, "t[003-004]"));
    const before = await changeByApi(page, "AK", id);
    const refused = await actByApi(page, initials, id, "withdraw", { version: before.version, reason: "nobody asked for it" });
    expect(refused.status).toBe(403);
    await page.goto(`/changes/${id}`);
    await page.getByText(/^Also open, for others/).click();
    const row = page.getByRole("list", { name: "Also open, for others" }).getByRole("listitem").filter({ hasText: "Withdraw the change" });
    const words = /Only [^.]*may do this[^.]*\./.exec(refused.detail)?.[0] ?? refused.detail;
    await expect(row).toContainText(words);
    expect((await changeByApi(page, "AK", id)).version).toBe(before.version);
  }
});
