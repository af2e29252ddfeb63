import { expect, test } from "vitest";

import { faultsOf } from "./guard";
import { lintGuard, purityGuard } from "./lint";
import { plantedTree } from "./planted-tree";

const core = (body: string): string => plantedTree({ "lib/core/kernel/a.ts": `${body}\n` });

test("a pure core passes, and its files were counted", async () => {
  const body = "export const later = (now: Date): Date => new Date(now.getTime() + Math.max(Date.UTC(2026, 0), Date.parse('2026')));";
  expect(await purityGuard.look(core(body))).toEqual({ looked: 1, faults: [] });
});

test("looking at nothing is a fault", async () => {
  expect(faultsOf(await purityGuard.look(plantedTree({})))).toEqual([expect.stringContaining("looked at nothing")]);
  expect(faultsOf(await lintGuard.look(plantedTree({})))).toEqual([expect.stringContaining("looked at nothing")]);
});

test.each([
  "export const a = Date.now();",
  'export const a = Date["now"]();',
  "export const a = globalThis.Date.now();",
  'export const a = globalThis["Date"].now();',
  "export const a = new Date();",
  "export const a = new globalThis.Date();",
  "export const a = Date();",
  "const D = Date;\nexport const a = new D();",
  "const { now } = Date;\nexport const a = now();",
  "export const a = Math.random();",
  'export const a = Math["random"]();',
  "export const a = globalThis.Math.random();",
  "const { random } = Math;\nexport const a = random();",
  "export const a = async (): Promise<void> => undefined;",
  "export async function a(): Promise<void> {}",
  "export const a = new Promise<void>((done) => done());",
  "export const a = performance.now();",
  "export const a = process.env.HOME;",
  "export const a = crypto.randomUUID();",
  'export const a = import("./b");',
  "export const a = setTimeout(() => 1, 1);",
])("impure core is found: %s", async (body) => {
  expect((await purityGuard.look(core(body))).faults).not.toEqual([]);
});

const elsewhere = (body: string): string => plantedTree({ "lib/services/a.ts": `${body}\n` });

test.each([
  ["any", "export const a = (x: any): unknown => x;", "no-explicit-any"],
  ["a bare catch", "export const a = (): void => {\n  try {\n    a();\n  } catch {}\n};", "Nobody swallows"],
  ["a swallowed rejection", "export const a = (p: Promise<void>): unknown => p.catch(() => {});", "Nobody swallows"],
  [
    "a floating promise",
    "const b = async (): Promise<void> => undefined;\nexport const a = (): void => {\n  b();\n};",
    "no-floating-promises",
  ],
  [
    "a promise where a truth is wanted",
    "const b = async (): Promise<boolean> => true;\nexport const a = (): number => (b() ? 1 : 2);",
    "no-misused-promises",
  ],
  ["a barrel", 'export * from "./b";', "No barrels"],
  ["a default export", "export default 1;", "Named exports"],
  ["a ! without a word", "export const a = (x: string | null): string => x!;", "no-non-null-assertion"],
  ["loose equality", "export const a = (x: unknown): boolean => x == 1;", "eqeqeq"],
  ["a switched-off rule that is not needed", "// eslint-disable-next-line eqeqeq\nexport const a = 1;", "Unused eslint-disable"],
])("%s is found", async (_what, body, says) => {
  expect((await lintGuard.look(elsewhere(body))).faults).toContainEqual(expect.stringContaining(says));
});

test("a skipped test is found", async () => {
  const root = plantedTree({ "lib/services/a.test.ts": 'import { test } from "vitest";\ntest.skip("later", () => undefined);\n' });
  expect((await lintGuard.look(root)).faults).toContainEqual(expect.stringContaining("No test is skipped"));
});
