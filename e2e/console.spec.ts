import { expect, type Page } from "@playwright/test";

import { expectAccessible, fillWith, signInAs, test } from "./console";
import { changeByApi, rehearsalPlan } from "./demo-api";

/** Makes a change through the page and gives its id. */
async function makeChange(page: Page, title: string, nodes: string): Promise<string> {
  await page.goto("/changes/new");
  await fillWith(page.getByLabel("Plan", { exact: true }), rehearsalPlan(title, nodes));
  await page.getByRole("button", { name: "Create change" }).click();
  await expect(page).toHaveURL(/\/changes\/CH-\d+$/);
  return page.url().split("/").at(-1) ?? "";
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Demo people" })).toBeVisible();
}

test("an operator writes a plan, is told the faulty line, mends it and makes the change", async ({ page }) => {
  await signInAs(page, "Operator");
  await page.getByRole("link", { name: "New change" }).first().click();
  const plan = page.getByLabel("Plan", { exact: true });
  const good = rehearsalPlan("Rehearsal seen in a browser", "t[001-004]");
  await fillWith(plan, good.replace("batchSize: 2", "batchSize: several"));
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "line 6, batchSize" })).toBeVisible();
  await expect(plan).toHaveValue(/batchSize: several/);
  await fillWith(plan, good);
  await expect(page.getByRole("heading", { name: "Batches by leaf" })).toBeVisible();
  await page.getByRole("button", { name: "Create change" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rehearsal seen in a browser");
  const id = page.url().split("/").at(-1) ?? "";
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Changes", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: id })).toContainText("0 of 4 accepted");
});

test("a closed action keeps its place and gives the API's reason; the headline is the API's too (R7.4)", async ({ page }) => {
  await signInAs(page, "Operator");
  const id = await makeChange(page, "Rehearsal with closed actions", "t[005-006]");
  const told = await changeByApi(page, "AK", id);
  const close = told.actions.find(({ action }) => action === "close");
  expect(close?.permitted).toBe(false);
  await expect(page.getByText(told.headline.next).first()).toBeVisible();
  const row = page.getByRole("list", { name: "Actions" }).getByRole("listitem").filter({ hasText: "Close the change" });
  await expect(row).toContainText((close?.because ?? []).join(" "));
});

test("an action is done from its own form; a refusal keeps what was typed, and destructive ones want the id typed", async ({ page }) => {
  await signInAs(page, "Operator");
  const id = await makeChange(page, "Rehearsal that is withdrawn", "t[007-008]");
  await page.getByText(/^Also open to you/).click();
  await page.getByRole("listitem").filter({ hasText: "Withdraw the change" }).getByRole("button", { name: "Withdraw…" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw the change" });
  await expect(dialog).toContainText("Nothing was touched; it cannot be taken up again.");
  await dialog.getByLabel("Reason").fill("Nobody needs it any more.");
  await dialog.getByLabel(`Type ${id} to confirm`).fill("CH-0");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`type ${id} to confirm`);
  await expect(dialog.getByLabel("Reason")).toHaveValue("Nobody needs it any more.");
  await dialog.getByLabel(`Type ${id} to confirm`).fill(id);
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Completed", { exact: true }).first()).toBeVisible();
  await page.getByRole("link", { name: "Audit" }).click();
  await expect(page.getByRole("row").filter({ hasText: "change.withdrawn" })).toContainText("Nobody needs it any more.");
});

test("a viewer sees every action and why none is theirs", async ({ page }) => {
  await signInAs(page, "Operator");
  const id = await makeChange(page, "Rehearsal for everybody to see", "t[009-010]");
  await signOut(page);
  await signInAs(page, "Viewer");
  await page.goto(`/changes/${id}`);
  await expect(page.getByRole("list", { name: "Actions" }).getByText("Only an operator may do this.").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Actions" }).getByRole("button")).toHaveCount(0);
});

test("a workload owner publishes an acceptance job; a fault is named by its line and the text stays", async ({ page }) => {
  await signInAs(page, "Workload owner");
  await page.goto("/acceptance-jobs");
  const job = page.getByLabel("Acceptance job");
  const text = await job.inputValue();
  await fillWith(job, text.replace("repeats: 2", "repeats: many"));
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /line 11, repeats/ })).toBeVisible();
  await expect(job).toHaveValue(/repeats: many/);
  await fillWith(job, text.replace(/^name: .*/, "name: seen-in-a-browser"));
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("row").filter({ hasText: "seen-in-a-browser@1" })).toBeVisible();
});

test("an operator stops a cluster at once; only an approver lifts it (R7.6)", async ({ page }) => {
  const cluster = page.getByRole("region", { name: "sim-second" });
  await signInAs(page, "Operator");
  await page.goto("/clusters");
  await cluster.getByText("Stop all work…").click();
  await cluster.getByLabel("Reason").fill("Smoke in the room.");
  await cluster.getByLabel("Type sim-second to confirm").fill("sim-second");
  await cluster.getByRole("button", { name: "Stop all work on sim-second" }).click();
  await expect(cluster).toContainText("Smoke in the room.");
  await expect(cluster).toContainText("Closed for you: Lifting needs an approver.");
  await signOut(page);
  await signInAs(page, "Approver");
  await page.goto("/clusters");
  await cluster.getByText("Lift the stop…").click();
  await cluster.getByLabel("Reason").fill("It was the kitchen.");
  await cluster.getByLabel("Type sim-second to confirm").fill("sim-second");
  await cluster.getByRole("button", { name: "Lift the stop on sim-second" }).click();
  await expect(cluster).toContainText("not stopped");
});

test("every page is accessible in light and dark", async ({ page }) => {
  test.setTimeout(180_000);
  await signInAs(page, "Operator");
  const id = await makeChange(page, "Rehearsal for all eyes", "t[011-012]");
  const addresses = ["/changes", "/changes?show=all", "/changes/new", `/changes/${id}`, `/changes/${id}/audit`];
  for (const address of [...addresses, "/inventory", "/inventory?show=out", "/acceptance-jobs", "/clusters"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});
