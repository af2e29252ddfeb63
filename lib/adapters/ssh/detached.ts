import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { FolderHandle, NodeShell, ShellEnd, ShellHost } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";
import { FOLDER_SCRIPT, POLL_SCRIPT, RUNNER_SCRIPT, START_SCRIPT, STOP_SCRIPT } from "./detached-scripts";
import { keyFolder } from "./key-folder";
import { quoteShell } from "./quote-shell";

type Detached = Pick<NodeShell, "start" | "poll" | "stop" | "stateFolder">;
type Setup = {
  readonly run: NodeShell["run"];
  readonly stateDir: (host: ShellHost) => string;
  readonly bootIdFile: (host: ShellHost) => string;
  readonly maxBytes: number;
  readonly called: (host: ShellHost) => string;
};

const SCRIPT_TIMEOUT_MS = 60_000;

/** Start, look, stop: the command outlives the connection, and its folder outlives both. */
export function detachedCommands(setup: Setup): Detached {
  const script = async (
    host: ShellHost,
    text: string,
    args: readonly string[],
    maxBytes = 65_536,
  ): Promise<Result<ShellEnd, SourceError>> => {
    const end = await setup.run(host, quoteShell(["sh", "-c", text, "clearance", ...args]), { timeoutMs: SCRIPT_TIMEOUT_MS, maxBytes });
    if (!end.ok || end.value.exitCode === 0) return end;
    const said = Buffer.from(end.value.stderr).toString("utf8").trim().slice(0, 300);
    return err({ code: "refused", because: `${setup.called(host)} did not do it (exit ${end.value.exitCode ?? "by signal"}): ${said}` });
  };

  return {
    async stateFolder(host) {
      const folder = setup.stateDir(host);
      const end = await script(host, FOLDER_SCRIPT, [folder]);
      return end.ok ? ok(folder) : end;
    },

    async start(host, key, command, timeoutMs) {
      const name = keyFolder(key);
      if (name === null)
        return err({ code: "refused", because: "The command's key is empty or too long for a folder name; nothing was started." });
      if (command.includes("\0")) return err({ code: "refused", because: "The command holds a NUL character; nothing was started." });
      const folder = `${setup.stateDir(host)}/${name}`;
      const seconds = String(Math.max(1, Math.ceil(timeoutMs / 1000)));
      const end = await script(host, START_SCRIPT, [folder, setup.bootIdFile(host), seconds, command, RUNNER_SCRIPT]);
      if (!end.ok) return end;
      const [word, bootId] = Buffer.from(end.value.stdout).toString("utf8").split("\n");
      if (word !== "started" && word !== "again") return unexpected(setup.called(host), word);
      return ok({ folder, bootId: bootId ? bootId : null, again: word === "again" });
    },

    async poll(host, handle) {
      const outside = refuseOutside(setup, host, handle);
      if (outside !== null) return outside;
      const args = [handle.folder, setup.bootIdFile(host), String(setup.maxBytes)];
      const end = await script(host, POLL_SCRIPT, args, 2 * setup.maxBytes + 4096);
      if (!end.ok) return end;
      const stdout = Buffer.from(end.value.stdout);
      const lineEnd = stdout.indexOf("\n");
      const words = stdout.subarray(0, Math.max(lineEnd, 0)).toString("utf8").split(" ");
      if (words[0] === "ended")
        return readEnd(words, stdout.subarray(lineEnd + 1), setup.maxBytes) ?? unexpected(setup.called(host), words.join(" "));
      if (words[0] === "running") return ok({ is: "running" });
      const because = LOST[words[0] ?? ""];
      return because === undefined
        ? unexpected(setup.called(host), words[0])
        : ok({ is: "lost", because: `${setup.called(host)}: ${because}` });
    },

    async stop(host, handle) {
      const outside = refuseOutside(setup, host, handle);
      if (outside !== null) return outside;
      const end = await script(host, STOP_SCRIPT, [handle.folder, setup.bootIdFile(host)]);
      if (!end.ok) return end;
      const word = Buffer.from(end.value.stdout).toString("utf8").trim();
      if (word === "stopped" || word === "ended") return ok(undefined);
      if (word === "gone")
        return err({ code: "not_found", because: `Nothing of ${handle.folder} runs on ${setup.called(host)} any more.` });
      if (word === "stuck")
        return err({
          code: "timed_out",
          because: `The command in ${handle.folder} on ${setup.called(host)} does not end, even by SIGKILL.`,
        });
      return unexpected(setup.called(host), word);
    },
  };
}

const LOST: Readonly<Record<string, string>> = {
  gone: "the command's folder is gone, so nobody can say how it ended.",
  rebooted: "the host was rebooted while the command ran, so nobody can say how it ended.",
  vanished: "the command's processes are gone without an exit code, so nobody can say how it ended.",
  unbegun: "the command's folder was made, but the command never began.",
};

/** Of the calendar that `Date` knows. */
const LAST_SECOND = 8.64e12;

/** "ended CODE STARTED ENDED OUT ERR", times in epoch seconds of the host, then both outputs. Null when it is anything else. */
function readEnd(
  words: readonly string[],
  body: Buffer,
  maxBytes: number,
): Result<{ readonly is: "ended" } & ShellEnd, SourceError> | null {
  const numbers = words.slice(1).map(Number);
  const [exitCode, startedAt, endedAt, outBytes, errBytes] = numbers;
  if (numbers.length !== 5 || !numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return null;
  if (exitCode === undefined || startedAt === undefined || endedAt === undefined || outBytes === undefined || errBytes === undefined)
    return null;
  // A host whose clock tells no instant has told nothing.
  if (Math.max(startedAt, endedAt) > LAST_SECOND) return null;
  const outKept = Math.min(outBytes, maxBytes);
  const errKept = Math.min(errBytes, maxBytes);
  if (body.length !== outKept + errKept) return null;
  return ok({
    is: "ended",
    exitCode,
    signal: null,
    stdout: body.subarray(0, outKept),
    stderr: body.subarray(outKept),
    truncated: outKept < outBytes || errKept < errBytes,
    startedAt: new Date(startedAt * 1000),
    endedAt: new Date(endedAt * 1000),
  });
}

/** A handle comes back from the record: it must still name a folder of ours. */
function refuseOutside(setup: Setup, host: ShellHost, handle: FolderHandle): Result<never, SourceError> | null {
  const below = `${setup.stateDir(host)}/`;
  const name = handle.folder.slice(below.length);
  if (handle.folder.startsWith(below) && name !== "" && !name.includes("/") && !name.startsWith(".")) return null;
  return err({ code: "refused", because: `${handle.folder} is not a command's folder below ${below} on ${setup.called(host)}.` });
}

function unexpected(called: string, said: string | undefined): Result<never, SourceError> {
  return err({
    code: "unreadable",
    because: `${called} answered ${JSON.stringify((said ?? "").slice(0, 100))}, which is none of the known answers.`,
  });
}
