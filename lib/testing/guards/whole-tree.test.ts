import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { formattingGuard } from "./formatting";
import { faultsOf } from "./guard";
import { plantedTree } from "./planted-tree";
import { coreTypesGuard, typesGuard } from "./type-check";
import { unusedExportsGuard } from "./unused-exports";

const CORE = "lib/core/kernel/a.ts";

test("types: an unchecked index and a wrong assignment are found", async () => {
  const root = plantedTree({ [CORE]: "const list: string[] = [];\nexport const a: string = list[0];\nexport const b: number = 'x';\n" });
  const { looked, faults } = await typesGuard.look(root);
  expect(looked).toBe(1);
  expect(faults).toEqual([expect.stringContaining(`${CORE}:2`), expect.stringContaining(`${CORE}:3`)]);
});

test("types: switching a strict setting off is a fault even when everything compiles", async () => {
  const root = plantedTree({ [CORE]: "export const a = 1;\n" });
  writeFileSync(
    join(root, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { strict: true, noEmit: true }, include: ["**/*.ts"], exclude: ["node_modules"] }),
  );
  expect((await typesGuard.look(root)).faults).toContainEqual(expect.stringContaining("noUncheckedIndexedAccess"));
});

test("types: looking at nothing is a fault", async () => {
  expect(faultsOf(await typesGuard.look(plantedTree({})))).toContainEqual(expect.stringContaining("looked at nothing"));
  expect(faultsOf(await coreTypesGuard.look(plantedTree({})))).toContainEqual(expect.stringContaining("looked at nothing"));
});

test.each(["process.pid", "performance.now()", "document.title", "console.log(1)", "Buffer.from('')"])(
  "core types: %s does not exist there",
  async (body) => {
    const { looked, faults } = await coreTypesGuard.look(plantedTree({ [CORE]: `export const a = ${body};\n` }));
    expect(looked).toBe(1);
    expect(faults).toContainEqual(expect.stringContaining(`${CORE}:1`));
  },
);

test("formatting: what prettier would write otherwise is found, and files were counted", async () => {
  const good = await formattingGuard.look(plantedTree({ [CORE]: 'export const a = "x";\n' }));
  expect(good.looked).toBeGreaterThan(1);
  expect(good.faults.filter((fault) => fault.startsWith("lib/core/kernel"))).toEqual([]);
  const bad = await formattingGuard.look(plantedTree({ [CORE]: "export const a = 'x'\n" }));
  expect(bad.faults).toContainEqual(expect.stringContaining(`${CORE}: not formatted`));
  expect((await formattingGuard.look(plantedTree({ [CORE]: "export const = ;\n" }))).faults).toContainEqual(
    expect.stringContaining("cannot be read"),
  );
});

test("unused exports: an export and a file that nobody imports are found, a used one is not", async () => {
  const root = plantedTree({
    "lib/worker/main.ts": 'import { used } from "@/lib/core/kernel/a";\nused();\n',
    [CORE]: "export const used = (): number => spare;\nexport const spare = 1;\nexport type Idle = 2;\n",
    "lib/core/kernel/dead.ts": "const dead = 1;\nexport { dead };\n",
  });
  const { looked, faults } = await unusedExportsGuard.look(root);
  expect(looked).toBeGreaterThanOrEqual(3);
  expect(faults).toContainEqual(expect.stringContaining('"spare" is exported but imported by nobody'));
  expect(faults).toContainEqual(expect.stringContaining('"Idle" is exported but imported by nobody'));
  expect(faults).toContainEqual(expect.stringContaining("lib/core/kernel/dead.ts: is used by nothing"));
  expect(faults.join("\n")).not.toContain('"used"');
});

test("unused exports: looking at nothing is a fault", async () => {
  expect(faultsOf(await unusedExportsGuard.look(plantedTree({})))).toContainEqual(expect.stringContaining("looked at nothing"));
});
