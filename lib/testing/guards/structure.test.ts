import { expect, test } from "vitest";

import { faultsOf } from "./guard";
import { plantedTree } from "./planted-tree";
import { structureGuard } from "./structure";

const GOOD = { "lib/core/kernel/result.ts": "export const ok = 1;\n" };
const lines = (count: number): string => "export const a = 1;\n".repeat(count);

test("a tree as it should be passes, and its files were counted", async () => {
  expect(await structureGuard.look(plantedTree(GOOD))).toEqual({ looked: 1, faults: [] });
});

test("looking at nothing is a fault", async () => {
  expect(faultsOf(await structureGuard.look(plantedTree({})))).toEqual([expect.stringContaining("looked at nothing")]);
});

test.each([
  ["a core file of 251 lines", "lib/core/kernel/result.ts", lines(251), "251 lines, a core file may have 250"],
  ["a page of 121 lines", "app/changes/page.tsx", lines(121), "121 lines, a page may have 120"],
  ["a component of 201 lines", "components/status.tsx", lines(201), "201 lines, a component may have 200"],
  ["a test of 401 lines", "lib/core/kernel/result.test.ts", lines(401), "401 lines, a test may have 400"],
  ["any file of 401 lines", "lib/worker/main.ts", lines(401), "401 lines, a file may have 400"],
  ["a style sheet of 401 lines", "app/frame.css", "a{}\n".repeat(401), "401 lines, a file may have 400"],
  ["a file called utils", "lib/core/kernel/utils.ts", lines(1), '"utils" says nothing'],
  ["a file ending in helpers", "lib/core/kernel/text-helpers.ts", lines(1), '"text-helpers" says nothing'],
  ["a folder called common", "lib/core/common/ids.ts", lines(1), '"common" says nothing'],
  ["an index", "lib/core/kernel/index.ts", lines(1), '"index" says nothing'],
  ["a name in camel case", "lib/core/kernel/mergeFacts.ts", lines(1), "not in kebab-case"],
  ["a barrel under another name", "lib/core/kernel/all.ts", 'export { a } from "./a";\nexport * from "./b";\n', "only passes exports on"],
  ["a stranger at the top level", "scripts/run.ts", lines(1), '"scripts" is not part of the top level'],
  ["a stranger in lib", "lib/shared/run.ts", lines(1), '"lib/shared" is not part of the layout'],
])("%s is found", async (_what, path, text, says) => {
  const { faults } = await structureGuard.look(plantedTree({ ...GOOD, [path]: text }));
  expect(faults).toContainEqual(expect.stringContaining(says));
});

test("names that the framework gives are not ours to judge", async () => {
  const page = "export default function Page() {\n  return null;\n}\n";
  const root = plantedTree({ "app/changes/[id]/page.tsx": page, "app/api/auth/[...nextauth]/route.ts": "export const a = 1;\n" });
  expect((await structureGuard.look(root)).faults).toEqual([]);
});
