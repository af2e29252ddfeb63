import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { ownServer } from "@/lib/testing/test-database";
import { startPostgres } from "@/lib/testing/test-database-server";
import { startRehearsalSite } from "./rehearsal-site";
import { storyOf, undisturbedStory, type Story } from "./rehearsal-story";
import { until } from "@/lib/demo/until";

const folder = mkdtempSync(join(tmpdir(), "clearance-restart-path-"));
chmodSync(folder, 0o755);
let undisturbed: Story;
let serverPid: number | null = null;

beforeAll(async () => {
  undisturbed = await undisturbedStory();
}, 480_000);

afterAll(async () => {
  if (serverPid !== null) await endServer(serverPid, "SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

/** SIGQUIT is Postgres' immediate stop: no checkpoint, every session cut; the next start recovers from its log. */
async function endServer(pid: number, signal: "SIGQUIT" | "SIGINT"): Promise<void> {
  process.kill(pid, signal);
  await until("the end of the database", async () => (isAlive(pid) ? null : true), { timeoutMs: 20_000, everyMs: 20 });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw cause;
  }
}

const isUpdating = (view: ChangeView): boolean => view.targets.some((target) => target.step === "updating");
const isOneThrough = (view: ChangeView): boolean =>
  view.targets.some((target) => target.step === "accepted") && view.targets.some((target) => target.step === "rebooting");

it(
  "Postgres stopped at once and started again in the middle, twice: each command once, the same record",
  { timeout: 900_000 },
  async () => {
    const server = await ownServer(folder);
    serverPid = server.pid;
    const site = await startRehearsalSite({ url: server.url, drop: async () => undefined });
    try {
      // The server of the tests does not wait for its log; one that is stopped at once has to.
      await site.sql("alter database postgres set synchronous_commit = on");
      const worker = site.worker();
      const id = await site.begin();
      for (const moment of [isUpdating, isOneThrough]) {
        await site.walk(id, moment);
        await endServer(serverPid, "SIGQUIT");
        serverPid = (await startPostgres(folder, server.port)).pid;
      }
      await site.walk(id);
      expect(await storyOf(site, id)).toEqual(undisturbed);
      expect(worker.isRunning()).toBe(true);
    } finally {
      await site.stop();
    }
  },
);
