/** Runs command lines on a simulated machine: by a real `/bin/sh`, in that machine's folder and environment. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

import { killGroup } from "./processes";
import type { SitePaths } from "./site-paths";
import { machineEnvironment } from "./tools";

/** A command that has no limit of its own is ended after this real time. */
const LONGEST_MS = 3_600_000;

export type Run = { readonly stop: () => void };

export function runOnMachine(
  paths: SitePaths,
  at: { cluster: string; node: string; command: string },
  streams: { stdin: Readable; stdout: Writable; stderr: Writable },
  ended: (code: number | null, signal: string | null) => void,
): Run {
  const child: ChildProcess = spawn("/bin/sh", ["-c", at.command], {
    cwd: join(paths.nodeRoot(at.cluster, at.node), "home"),
    env: machineEnvironment(paths, at.cluster, at.node),
    detached: true, // its own process group, so that the whole of it can be ended
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
  };
  const timer = setTimeout(stop, LONGEST_MS);
  child.stdin?.on("error", () => {}); // the command may end without reading its input
  if (child.stdin !== null) streams.stdin.pipe(child.stdin);
  child.stdout?.pipe(streams.stdout, { end: false });
  child.stderr?.pipe(streams.stderr, { end: false });
  child.once("error", () => ended(127, null));
  child.once("close", (code, signal) => {
    clearTimeout(timer);
    ended(code, signal);
  });
  return { stop };
}
