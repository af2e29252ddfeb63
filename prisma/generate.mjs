// Generates the Prisma client without fetching an engine: generation itself is WebAssembly, only the look-up of the schema engine
// would go out, so it is pointed at a program that exists.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
const { status } = spawnSync(process.execPath, [cli, "generate"], {
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
    CHECKPOINT_DISABLE: "1",
  },
});
process.exit(status ?? 1);
