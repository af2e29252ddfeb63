import { spawn } from "node:child_process";

import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { ShellEnd } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";
import { CLI_ENVIRONMENT, CLI_MAX_BYTES, CLI_TIMEOUT_MS } from "./slurm-cli";
import type { SlurmCli } from "./slurm-cli";

/**
 * Slurm's programs on this machine. They get PATH, HOME and `env` (such as SLURM_CONF) and nothing else of ours: sbatch hands its environment to the
 * job, and our environment holds secrets.
 */
export function cliOverLocal(env: Readonly<Record<string, string>>, timeoutMs = CLI_TIMEOUT_MS): SlurmCli {
  const inherited: Record<string, string> = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: process.env["HOME"] ?? "/" };
  return {
    run: (argv, stdin) => runLocally(argv, stdin ?? "", { env: { ...inherited, ...env, ...CLI_ENVIRONMENT }, timeoutMs }),
  };
}

function runLocally(
  argv: readonly string[],
  stdin: string,
  settings: { readonly env: Readonly<Record<string, string>>; readonly timeoutMs: number },
): Promise<Result<ShellEnd, SourceError>> {
  const [program, ...args] = argv;
  const startedAt = new Date();
  return new Promise((resolve) => {
    if (program === undefined || argv.some((argument) => argument.includes("\0"))) {
      return resolve(err({ code: "refused", because: "An argument for Slurm's programs holds a NUL character; nothing was run." }));
    }
    // Next declares NODE_ENV as always there; a scheduler's program has no use for it
    const env = settings.env as NodeJS.ProcessEnv;
    const child = spawn(program, args, { env, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, settings.timeoutMs);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    // a program that ends without reading its input closes the pipe: its exit code tells the story
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    child.once("error", (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(
        err({
          code: "unreachable",
          because: `${program} cannot be started here (${cause.code ?? cause.name}). Are Slurm's client programs installed?`,
        }),
      );
    });
    child.once("close", (exitCode, signal) => {
      clearTimeout(timer);
      if (timedOut) {
        const because = `${program} did not end within ${settings.timeoutMs} ms and was ended; what it asked of the scheduler may still happen.`;
        return resolve(err({ code: "timed_out", because }));
      }
      const truncated = stdout.isCut() || stderr.isCut();
      resolve(ok({ exitCode, signal, stdout: stdout.bytes(), stderr: stderr.bytes(), truncated, startedAt, endedAt: new Date() }));
    });
  });
}

function collect(stream: NodeJS.ReadableStream): { bytes: () => Uint8Array; isCut: () => boolean } {
  const chunks: Buffer[] = [];
  let kept = 0;
  let cut = false;
  stream.on("data", (chunk: Buffer) => {
    if (kept + chunk.length > CLI_MAX_BYTES) cut = true;
    if (cut) return;
    kept += chunk.length;
    chunks.push(chunk);
  });
  return { bytes: () => Buffer.concat(chunks), isCut: () => cut };
}
