import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { startPostgres } from "@/lib/testing/test-database-server";
import { ownServer } from "@/lib/testing/test-database";
import { aRecord, type TestRecord } from "@/lib/testing/store-contract-record";
import { WorkerWorld } from "@/lib/testing/store-contract-world";

const pids = new Set<number>();
let record: TestRecord | undefined;
let world: WorkerWorld | undefined;
const folder = mkdtempSync(join(tmpdir(), "clearance-restart-"));
chmodSync(folder, 0o755);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
};
async function end(pid: number, signal: "SIGQUIT" | "SIGINT"): Promise<void> {
  process.kill(pid, signal);
  for (const deadline = performance.now() + 20_000; isAlive(pid) && performance.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  pids.delete(pid);
}

afterEach(async () => {
  world?.close();
  await record?.close();
  for (const pid of pids) await end(pid, "SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

it("a database that ends at once in the middle of a command and comes back: recorded once, told once", { timeout: 180_000 }, async () => {
  const server = await ownServer(folder);
  pids.add(server.pid);
  record = await aRecord({}, { url: server.url, drop: async () => undefined });
  const here = (world = new WorkerWorld(record));
  here.hold(1);
  const worker = await here.worker();
  await here.ask();
  await here.untilSaid(`claimed 1 ${worker.pid}`);
  await end(server.pid, "SIGQUIT");
  here.release(1);
  await here.untilSaid(`acted 1 ${worker.pid}`);
  await here.until("the outage in one line", () => here.said("log warn").length > 0);
  pids.add((await startPostgres(folder, server.port)).pid);
  await here.until("the record", () => here.said("recorded").length > 0);
  expect(here.said("acted")).toHaveLength(1);
  expect(await here.command()).toMatchObject({ state: "succeeded" });
  expect(here.said("log warn the database does not answer").length).toBeLessThan(3);
});
