import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string | null = null;

/** vitest's global setup: names the folder in which the first test that needs a database starts the one server of this run. */
export function setup(): void {
  if (process.env.CLEARANCE_TEST_DATABASE) return; // set up for another project of the same run
  folder = mkdtempSync(join(tmpdir(), "clearance-test-db-"));
  chmodSync(folder, 0o755);
  process.env.CLEARANCE_TEST_DATABASE = folder;
}

/** Ends the server, if any test has started it. */
export async function teardown(): Promise<void> {
  if (folder === null) return;
  const file = join(folder, "server.json");
  if (existsSync(file)) await stop((JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid);
  rmSync(folder, { recursive: true, force: true });
  folder = null;
}

async function stop(pid: number): Promise<void> {
  process.kill(pid, "SIGINT");
  for (const deadline = performance.now() + 10_000; performance.now() < deadline;) {
    try {
      process.kill(pid, 0);
    } catch {
      return; // gone
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
