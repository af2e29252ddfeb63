import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";

export type ChildSpec = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Everything it prints goes here. */
  readonly logFile: string;
  /** Sees each line of standard output. */
  readonly onLine?: (line: string) => void;
};

/** A child that is running. `ended` never rejects. */
export type Child = {
  readonly pid: number;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly process: ChildProcess;
};

/** One Node process, signalled by its own pid: no shell, no npx, nothing between. In a group of its own, so that Ctrl-C reaches only us. */
export function startNode({ name, argv, env, cwd, logFile, onLine }: ChildSpec): Child {
  const preload = join(import.meta.dirname, "end-with-parent.mjs");
  const child = spawn(process.execPath, ["--import", preload, ...argv], {
    cwd,
    env: { ...env, CLEARANCE_STARTED_BY: String(process.pid) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const log = createWriteStream(logFile, { flags: "a" });
  // A full disk ends the log, not the part: what it prints is read on, or it would wait for ever with a full pipe.
  log.on("error", () => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.unpipe(log);
      stream?.resume();
    }
  });
  log.write(`--- ${name} started, pid ${child.pid ?? "none"}\n`);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  if (onLine !== undefined && child.stdout) eachLine(child.stdout, onLine);
  const ended = new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.once("error", (cause) => {
      log.end(`--- ${name} could not be started: ${cause.message}\n`);
      done({ code: null, signal: null });
    });
    child.once("close", (code, signal) => {
      log.end(`--- ${name} ended, ${signal === null ? `code ${code}` : `signal ${signal}`}\n`);
      done({ code, signal });
    });
  });
  return { pid: child.pid ?? -1, ended, process: child };
}

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = (lines.pop() ?? "").slice(-65_536);
    lines.forEach(onLine);
  });
}

/** SIGTERM, and SIGKILL when it has not ended after `patienceMs`. */
export async function stopChild(child: Child, patienceMs: number): Promise<void> {
  if (child.process.exitCode === null && child.process.signalCode === null) child.process.kill("SIGTERM");
  const timer = setTimeout(() => child.process.kill("SIGKILL"), patienceMs);
  await child.ended;
  clearTimeout(timer);
}

/** The last lines a child said, for the sentence that tells why it is gone. */
export function lastWords(logFile: string): string {
  try {
    const lines = readFileSync(logFile, "utf8").split("\n");
    const said = lines.filter((line) => line.trim() !== "" && !line.startsWith("---") && !/^\s+at /.test(line));
    return (said.pop() ?? "nothing").slice(0, 300);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
