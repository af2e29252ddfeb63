import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { NodeShell, ShellEnd, ShellHost } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";
import { sshConnections } from "./connections";
import { detachedCommands } from "./detached";
import { quoteShell } from "./quote-shell";
import { runOn } from "./run-on";
import { addressOf, bootIdFileOf, calledHost, stateDirOf } from "./ssh-options";
import type { SshOptions } from "./ssh-options";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const READ_TIMEOUT_MS = 30_000;
const REBOOT_TIMEOUT_MS = 60_000;

export type SshShell = NodeShell & { close(): void };

/** Commands on nodes and head hosts over SSH, host keys always checked against known hosts. The user's login shell there must be a POSIX shell. */
export function sshShell(options: SshOptions): SshShell {
  const connections = sshConnections(options);
  const now = options.now ?? (() => new Date());
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;

  const run: NodeShell["run"] = async (host, command, limits) => {
    const address = addressOf(options, host);
    if ("because" in address) return err({ code: "refused", because: address.because });
    if (command.includes("\0")) return err({ code: "refused", because: "The command holds a NUL character; nothing was run." });
    const where = { called: calledHost(host), now };
    return connections.withClient(address, (client) =>
      runOn(client, command, { timeoutMs: limits.timeoutMs, maxBytes: limits.maxBytes ?? maxBytes }, where),
    );
  };

  const readFile: NodeShell["readFile"] = async (host, path, limit) => {
    if (!path.startsWith("/") || path.includes("\0"))
      return err({ code: "refused", because: `${JSON.stringify(path)} is not an absolute path.` });
    const end = await run(host, quoteShell(["head", "-c", String(limit + 1), "--", path]), {
      timeoutMs: READ_TIMEOUT_MS,
      maxBytes: limit + 4096,
    });
    if (!end.ok) return end;
    if (end.value.exitCode !== 0) return fileError(host, path, end.value);
    return ok({ bytes: end.value.stdout.subarray(0, limit), truncated: end.value.truncated || end.value.stdout.byteLength > limit });
  };

  return {
    run,
    readFile,
    ...detachedCommands({
      run,
      maxBytes,
      called: calledHost,
      stateDir: (host) => stateDirOf(options, host),
      bootIdFile: (host) => bootIdFileOf(options, host),
    }),

    async bootId(host) {
      const path = bootIdFileOf(options, host);
      const file = await readFile(host, path, 200);
      if (!file.ok) return file;
      const text = Buffer.from(file.value.bytes).toString("utf8").trim();
      if (/^[\x21-\x7e]{1,100}$/.test(text)) return ok(text);
      return err({ code: "unreadable", because: `${path} on ${calledHost(host)} holds no boot id.` });
    },

    async reboot(host) {
      const command = options.rebootCommand ?? "systemctl reboot";
      const reached = await run(host, "true", { timeoutMs: READ_TIMEOUT_MS });
      if (!reached.ok) return reached;
      const end = await run(host, command, { timeoutMs: REBOOT_TIMEOUT_MS, maxBytes: 65_536 });
      // it answered a moment ago, so a lost connection is the reboot itself; proven is it only by the boot id
      if (!end.ok) return end.error.code === "unreachable" ? ok(undefined) : end;
      if (end.value.exitCode === 0 || end.value.signal !== null) return ok(undefined);
      const said = Buffer.from(end.value.stderr).toString("utf8").trim().slice(0, 300);
      return err({ code: "refused", because: `${calledHost(host)} refused "${command}" (exit ${end.value.exitCode}): ${said}` });
    },

    close: () => connections.close(),
  };
}

function fileError(host: ShellHost, path: string, end: ShellEnd): Result<never, SourceError> {
  const said = Buffer.from(end.stderr).toString("utf8").trim().slice(0, 300);
  const code = /No such file/i.test(said) ? "not_found" : /Permission denied/i.test(said) ? "denied" : "unreadable";
  return err({ code, because: `${path} on ${calledHost(host)} cannot be read: ${said || `exit ${end.exitCode}`}.` });
}
