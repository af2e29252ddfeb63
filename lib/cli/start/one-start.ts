import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { CannotStart } from "./cannot-start";

/** One start per data folder: claims it, or throws `CannotStart` when another one is running. Returns how to give it back. */
export function claimDataDir(dataDir: string): () => void {
  const file = join(dataDir, "start.pid");
  const holder = holderIn(file);
  if (Number.isInteger(holder) && holder !== process.pid && isStart(holder)) {
    throw new CannotStart(
      `Clearance is already running over ${dataDir} (process ${holder}). Stop it first, or choose another folder with CLEARANCE_DATA.`,
    );
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

function holderIn(file: string): number {
  try {
    return existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`${file} says which process runs over this data folder, and cannot be read: ${because}. Remove it.`, { cause });
  }
}

function isStart(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("start.mjs");
  } catch {
    return false; // no such process, or one of somebody else: not ours
  }
}
