import { expect, test } from "vitest";

import { faultsOf } from "./guard";
import { importsGuard } from "./imports";
import { plantedTree } from "./planted-tree";

const uses = (...paths: string[]): string =>
  paths.map((path, i) => `import { a as a${i} } from "${path}";\n`).join("") + "export const a = 1;\n";
const A = "export const a = 1;\n";

test("a tree that keeps the rules passes, and its modules were counted", async () => {
  const root = plantedTree({
    "lib/core/kernel/a.ts": A,
    "lib/core/plan/b.ts": uses("@/lib/core/kernel/a"),
    "lib/services/c.ts": uses("@/lib/core/plan/b"),
  });
  expect(await importsGuard.look(root)).toEqual({ looked: 3, faults: [] });
});

test("looking at nothing is a fault", async () => {
  expect(faultsOf(await importsGuard.look(plantedTree({ "public/a.txt": "" })))).toContainEqual(
    expect.stringContaining("looked at nothing"),
  );
});

const PLANTED: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["core that imports a service", { "lib/core/kernel/b.ts": uses("@/lib/services/a"), "lib/services/a.ts": A }, "core-imports"],
  ["core that imports an npm package", { "lib/core/kernel/b.ts": 'import pg from "pg";\nexport const a = pg;\n' }, "core-npm"],
  ["core that imports Node", { "lib/core/kernel/b.ts": 'import { join } from "node:path";\nexport const a = join;\n' }, "core-npm"],
  ["core that reads YAML elsewhere", { "lib/core/kernel/b.ts": 'import { parse } from "yaml";\nexport const a = parse;\n' }, "core-yaml"],
  [
    "a lower floor that imports a higher one",
    { "lib/core/kernel/b.ts": uses("@/lib/core/engine/a"), "lib/core/engine/a.ts": A },
    "core-floors",
  ],
  [
    "a circle between core folders of one floor",
    {
      "lib/core/node/a.ts": 'import type { B } from "@/lib/core/topology/b";\nexport type A = B | 1;\n',
      "lib/core/topology/b.ts": 'import type { C } from "@/lib/core/node/c";\nexport type B = C;\n',
      "lib/core/node/c.ts": "export type C = 2;\n",
    },
    "core-folder-cycles",
  ],
  ["a circle at run time", { "lib/core/kernel/a.ts": uses("./b"), "lib/core/kernel/b.ts": uses("./a") }, "no-cycles"],
  [
    "a circle of types outside the core",
    {
      "lib/worker/a.ts": 'import type { B } from "./b";\nexport type A = B;\n',
      "lib/worker/b.ts": 'import type { A } from "./a";\nexport type B = A | 1;\n',
    },
    "no-type-cycles",
  ],
  ["a port that imports a value", { "lib/ports/b.ts": uses("@/lib/core/kernel/a"), "lib/core/kernel/a.ts": A }, "ports-types-only"],
  [
    "an adapter that imports another",
    { "lib/adapters/slurm/b.ts": uses("@/lib/adapters/ssh/a"), "lib/adapters/ssh/a.ts": A },
    "adapters-imports",
  ],
  [
    "a simulator that imports an adapter",
    { "lib/simulator/b.ts": uses("@/lib/adapters/ssh/a"), "lib/adapters/ssh/a.ts": A },
    "simulator-imports",
  ],
  ["a page that imports the store", { "app/page.tsx": uses("@/lib/store/a"), "lib/store/a.ts": A }, "app-imports"],
  ["a page that imports a service", { "app/page.tsx": uses("@/lib/services/a"), "lib/services/a.ts": A }, "app-imports"],
  ["SQL outside the store", { "lib/server/b.ts": 'import pg from "pg";\nexport const a = pg;\n' }, "sql-only-in-store"],
  [
    "browser code that reaches the store by a detour",
    {
      "components/b.tsx": '"use client";\n' + uses("@/lib/client/c"),
      "lib/client/c.ts": uses("@/lib/core/kernel/d"),
      "lib/core/kernel/d.ts": uses("@/lib/store/a"),
      "lib/store/a.ts": A,
    },
    "browser-reach",
  ],
  ["the product importing its tests' builders", { "lib/worker/b.ts": uses("@/lib/testing/a"), "lib/testing/a.ts": A }, "testing-stays-out"],
  ["a ui part that knows a domain word", { "components/ui/b.tsx": uses("@/lib/core/kernel/a"), "lib/core/kernel/a.ts": A }, "ui-no-domain"],
  ["a module without neighbours", { "lib/worker/b.ts": A }, "no-orphans"],
  ["an import of nothing", { "lib/worker/b.ts": uses("./gone") }, "no-unresolved"],
];

test.each(PLANTED)("%s is found", async (_what, files, rule) => {
  expect((await importsGuard.look(plantedTree(files))).faults).toContainEqual(expect.stringContaining(rule));
});

test("types of one core folder may refer to each other", async () => {
  const root = plantedTree({
    "lib/core/kernel/a.ts": 'import type { B } from "./b";\nexport type A = B | 1;\n',
    "lib/core/kernel/b.ts": 'import type { A } from "./a";\nexport type B = { a: A };\n',
  });
  expect((await importsGuard.look(root)).faults).toEqual([]);
});
