import { expect, test as base, type Locator, type Page } from "@playwright/test";
import { AxeBuilder } from "@axe-core/playwright";

/** A test in which every word in the browser's console, a refused style or script included, is a failure, except what `allowed` names. */
export const test = base.extend<{ page: Page; allowed: RegExp | null }>({
  allowed: [null, { option: true }],
  page: async ({ page, allowed }, run) => {
    const said: string[] = [];
    page.on("console", (message) => {
      if (message.type() !== "info" && message.type() !== "debug") said.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (fault) => said.push(`error: ${fault.message}`));
    await run(page);
    expect(
      said.filter((line) => allowed === null || !allowed.test(line)),
      "unexpected console output",
    ).toEqual([]);
  },
});

/** Signs in through the page as one of the demo people, by the title on their button. */
export async function signInAs(page: Page, title: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: title }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
}

/** Replaces the text of a field. A field that comes to life just then takes both texts, so what it holds is looked at and written again. */
export async function fillWith(field: Locator, text: string): Promise<void> {
  await expect(async () => {
    await field.fill(text);
    await expect(field).toHaveValue(text, { timeout: 1_000 });
  }).toPass();
}

/** WCAG 2.2 A and AA, checked in both colour schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual(
      [],
    );
  }
}
