/**
 * Processes of the simulated machines, found by a mark in their environment: also those that have left their process group and
 * session, and those that an earlier run of the simulator started. Needs /proc; without it only direct children are known.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Pids whose environment holds exactly this `NAME=value`. */
export function findProcesses(mark: string): number[] {
  if (!existsSync("/proc/self/environ")) return [];
  const wanted = Buffer.from(`\0${mark}\0`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => Buffer.concat([Buffer.from("\0"), environmentOf(name)]).includes(wanted))
    .map(Number);
}

export function killProcesses(mark: string): void {
  // Twice: a shell that was forking during the first look is found by the second.
  for (let round = 0; round < 2; round++) for (const pid of findProcesses(mark)) killOne(pid);
}

/** A process group of ours; one that has ended is no error. */
export function killGroup(pid: number): void {
  killOne(-pid);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
  }
}

function environmentOf(pid: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0); // ended meanwhile, or another user's
  }
}
