import { existsSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { codeOf } from "./cannot-start";

/**
 * Clears what a killed start left in a data folder: a server of exactly this folder that is still running is stopped (fast shutdown), a lock file
 * whose process is gone or is somebody else is removed. Returns what was done, for the progress lines.
 */
export async function clearLeftovers(data: string): Promise<"nothing" | "stopped" | "unlocked"> {
  const lock = join(data, "postmaster.pid");
  if (!existsSync(lock)) return "nothing";
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  const mine = Number.isInteger(pid) && pid > 1 && isServerOf(pid, data);
  if (mine) {
    process.kill(pid, "SIGINT");
    for (const deadline = performance.now() + 20_000; isAlive(pid) && performance.now() < deadline;) await sleep(50);
    if (isAlive(pid)) process.kill(pid, "SIGQUIT");
    for (const deadline = performance.now() + 5_000; isAlive(pid) && performance.now() < deadline;) await sleep(50);
  }
  rmSync(lock, { force: true });
  return mine ? "stopped" : "unlocked";
}

/** A server works in its data folder; a process of somebody else that got the same number does not. */
function isServerOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch (cause) {
    // Without /proc nobody can tell: a live process with that number is taken for the server, and stopping it is refused to others anyway.
    return codeOf(cause) === "ENOENT" && process.platform !== "linux";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === "EPERM";
  }
}
