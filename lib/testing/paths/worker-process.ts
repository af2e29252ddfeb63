import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { until } from "@/lib/demo/until";

const ROOT = resolve(import.meta.dirname, "../../..");

export type WorkerProcess = {
  /** Lines of its log so far. */
  readonly said: () => string;
  readonly isRunning: () => boolean;
  /** Resolves when it takes work from the queues. */
  readonly ready: () => Promise<unknown>;
  /** SIGKILL resolves when it is gone; a stop or a continue at once. */
  readonly kill: (signal: "SIGKILL" | "SIGSTOP" | "SIGCONT") => Promise<void>;
};

/** The worker as `npm start` runs it. `node` runs it directly: a signal reaches the process that works, not a wrapper. */
export function startWorkerProcess(variables: Readonly<Record<string, string>>): WorkerProcess {
  const env = { ...process.env, ...variables, NODE_OPTIONS: "" };
  const child = spawn(process.execPath, ["--import", "tsx", "lib/worker/main.ts"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part.toString("utf8")));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  return {
    said: () => text,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ready: () =>
      until("a worker that takes work", async () => (text.includes("the worker takes work") ? true : null), {
        timeoutMs: 60_000,
        everyMs: 20,
        seen: () => text.slice(-2000),
      }),
    kill: async (signal) => {
      child.kill(signal);
      if (signal === "SIGKILL") await ended;
    },
  };
}
