import type { Client, ClientChannel } from "ssh2";

import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { ShellEnd } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";

type RunLimits = { readonly timeoutMs: number; readonly maxBytes: number };

/** sshd still counts a session until it has reaped the one before, so a full connection has room again in a moment. */
const OPEN_TRIES = 20;
const OPEN_AGAIN_MS = 100;

/** Runs one command line on an open connection. Output beyond the limit is read and dropped, and `truncated` says so. */
export function runOn(
  client: Client,
  command: string,
  limits: RunLimits,
  where: { readonly called: string; readonly now: () => Date },
): Promise<Result<ShellEnd, SourceError>> {
  const startedAt = where.now();
  return new Promise((resolve) => {
    let channel: ClientChannel | null = null;
    const give = (result: Result<ShellEnd, SourceError>): void => {
      clearTimeout(timer);
      client.removeListener("close", lost);
      resolve(result);
    };
    const lost = (): void =>
      give(
        err({ code: "unreachable", because: `The SSH connection to ${where.called} was lost; the command may still be running there.` }),
      );
    const timer = setTimeout(() => {
      channel?.close();
      const because = `A command on ${where.called} did not end within ${limits.timeoutMs} ms; it may still be running there.`;
      give(err({ code: "timed_out", because }));
    }, limits.timeoutMs);
    client.once("close", lost);
    openChannel(client, command, { until: performance.now() + limits.timeoutMs, tries: OPEN_TRIES }, (cause, opened) => {
      if (opened === undefined) return give(err(notStarted(cause, where.called)));
      channel = opened;
      const stdout = collect(opened, limits.maxBytes);
      const stderr = collect(opened.stderr, limits.maxBytes);
      const end: { exitCode: number | null; signal: string | null } = { exitCode: null, signal: null };
      opened.on("exit", (code: number | null, signal?: string) => {
        end.exitCode = code;
        end.signal = signal ?? null;
      });
      opened.on("close", () => {
        if (end.exitCode === null && end.signal === null) return lost();
        const truncated = stdout.isCut() || stderr.isCut();
        give(ok({ ...end, stdout: stdout.bytes(), stderr: stderr.bytes(), truncated, startedAt, endedAt: where.now() }));
      });
    });
  });
}

/** `tries`: how often it may still be asked for; `until`: the moment of `performance.now()` after which nothing more is begun. */
type Opening = { readonly until: number; readonly tries: number };

/** A channel that sshd would not open has run nothing, so asking again cannot run a command twice. */
function openChannel(client: Client, command: string, opening: Opening, done: (cause: unknown, opened?: ClientChannel) => void): void {
  try {
    client.exec(command, (cause, opened) => {
      if (!cause) return done(null, opened);
      const mayAgain = isUnopened(cause) && opening.tries > 1 && performance.now() + OPEN_AGAIN_MS < opening.until;
      if (!mayAgain) return done(cause);
      setTimeout(() => openChannel(client, command, { ...opening, tries: opening.tries - 1 }, done), OPEN_AGAIN_MS);
    });
  } catch (cause) {
    // thrown when the connection ended a moment ago: nothing was sent
    done(new NotConnected(cause instanceof Error ? cause.message : "unknown error"));
  }
}

class NotConnected extends Error {}

/** ssh2 gives the protocol's reason number only where the channel itself was refused. */
const isUnopened = (cause: Error): boolean => "reason" in cause && typeof cause.reason === "number";

function notStarted(cause: unknown, called: string): SourceError {
  const said = cause instanceof Error ? cause.message : "unknown error";
  if (cause instanceof NotConnected)
    return { code: "unreachable", because: `${called} is no longer connected (${said}); nothing was run.` };
  return { code: "refused", because: `${called} did not start the command (${said}).` };
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number): { bytes: () => Uint8Array; isCut: () => boolean } {
  const chunks: Buffer[] = [];
  let kept = 0;
  let cut = false;
  stream.on("data", (chunk: Buffer) => {
    const room = maxBytes - kept;
    if (chunk.length > room) cut = true;
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    kept += part.length;
    chunks.push(part);
  });
  return { bytes: () => Buffer.concat(chunks), isCut: () => cut };
}
