import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";

export type Child = { readonly pid: number; isAlive(): boolean; log(): string; stop(): Promise<void> };

/** A real program as our child, output in a log file, ended by its pid: TERM, then KILL after 5 s. */
export function startChild(command: string, args: readonly string[], logFile: string, env?: Record<string, string>): Child {
  const fd = openSync(logFile, "a");
  const child = spawn(command, args, { stdio: ["ignore", fd, fd], env: { ...process.env, ...env } });
  closeSync(fd);
  let ended = false;
  const end = new Promise<void>((resolve) => {
    const done = (): void => {
      ended = true;
      resolve();
    };
    child.once("exit", done);
    child.once("error", done);
  });
  return {
    pid: child.pid ?? 0,
    isAlive: () => !ended,
    log: () => readFileSync(logFile, "utf8").slice(-4000),
    async stop() {
      if (ended) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await end;
      clearTimeout(timer);
    },
  };
}

/** Looks every 100 ms until `look` gives something other than null, undefined or false; fails by name after `seconds`. */
export async function until<T>(what: string, seconds: number, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`did not happen within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
