import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "@/lib/testing/test-database";
import { startSimulator } from "./simulator";

let database: TestDatabase;
let dataDir = "";
beforeAll(async () => {
  database = await freshDatabase();
  dataDir = mkdtempSync(join(tmpdir(), "clearance-simulator-"));
  mkdirSync(join(dataDir, "logs"));
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Command lines of this machine that name our folder, as everybody may read them. */
const commandLines = (): readonly string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch (cause) {
        if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ESRCH")) return [];
        throw cause;
      }
    })
    .filter((line) => line.includes(dataDir));

test("the simulator follows the database's clock, and no command line shows the database's address", async () => {
  const silent = { onRestart: () => undefined, onGivenUp: () => undefined };
  const settings = { root: process.cwd(), dataDir, databaseUrl: database.url, env: process.env };
  const part = await startSimulator(settings, silent);
  try {
    const lines = commandLines();
    expect(lines).toEqual([expect.stringContaining("lib/simulator/main.ts --state")]);
    expect(lines.join("\n")).not.toMatch(/postgres(ql)?:\/\//);
    const [told] = readFileSync(join(dataDir, "logs", "simulator.log"), "utf8").match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
    const refused = await fetch(new URL("/_control/time", told), { method: "POST", body: '{"factor":2}' });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("the clock belongs to the database")]);
  } finally {
    await part.stop(5_000);
  }
}, 120_000);
