import { defineConfig } from "vitest/config";

const CORE = ["lib/core/**/*.test.ts", "lib/parsers/**/*.test.ts"];
const REAL = ["**/*.real.test.ts"];
const SIMULATOR = ["**/*.simulator.test.ts"];
/** Whole changes against a whole site: minutes each, most of it waiting for the world, so some of them run side by side. */
const PATHS = ["**/*.path.test.ts"];
/** A cluster of 128 nodes: no part of `npm test`, whose closing lines say so. */
const LONG = ["**/*.long.test.ts"];
const NEVER = ["**/node_modules/**", "**/.next*/**", "e2e/**"];

/** One file after the other: they start programs and share two cores. */
const ALONE = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    passWithNoTests: false,
    globalSetup: "lib/testing/test-database-setup.ts",
    projects: [
      {
        extends: true,
        test: { name: "core", include: CORE, exclude: NEVER, pool: "threads", isolate: false, setupFiles: "lib/testing/quiet-console.ts" },
      },
      {
        extends: true,
        test: {
          name: "node",
          include: ["**/*.test.ts"],
          exclude: [...NEVER, ...CORE, ...REAL, ...SIMULATOR, ...PATHS, ...LONG],
          // The first test that needs a database also waits for its server and its tables.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          setupFiles: "lib/testing/quiet-console.ts",
        },
      },
      { extends: true, test: { name: "simulator", include: SIMULATOR, exclude: NEVER, ...ALONE } },
      { extends: true, test: { name: "real", include: REAL, exclude: NEVER, ...ALONE } },
      { extends: true, test: { name: "long", include: LONG, exclude: NEVER, ...ALONE } },
      { extends: true, test: { name: "paths", include: PATHS, exclude: NEVER, testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2 } },
    ],
  },
});
