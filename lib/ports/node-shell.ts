import type { Result } from "@/lib/core/kernel/result";
import type { SourceError } from "./source-error";

export type ShellEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Output went over the limit and was cut: whoever judges it must not call it whole. */
  readonly truncated: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
};
/** Where it ran: a node by name, or the cluster's head host. */
export type ShellHost = { readonly node: string } | { readonly head: true };
export type FolderHandle = { readonly folder: string; readonly bootId: string | null };

/** Commands on nodes and head hosts (SSH). Host keys are always checked; nothing is ever built by pasting untrusted text into a shell line. */
export interface NodeShell {
  /** Runs to its end within `timeoutMs`; a timeout is `timed_out` and says that the command may still be running. */
  run(
    host: ShellHost,
    command: string,
    limits: { readonly timeoutMs: number; readonly maxBytes?: number },
  ): Promise<Result<ShellEnd, SourceError>>;
  /**
   * Detached start under `key` (a command key): an atomically made folder on the host holds pid, output and exit code, so a second start with the
   * same key finds the folder and only returns the handle (`again: true`).
   */
  start(
    host: ShellHost,
    key: string,
    command: string,
    timeoutMs: number,
  ): Promise<Result<FolderHandle & { readonly again: boolean }, SourceError>>;
  /** lost: folder or process gone without an exit code (reboot, kill): nobody can say how it ended. */
  poll(
    host: ShellHost,
    handle: FolderHandle,
  ): Promise<
    Result<
      { readonly is: "running" } | { readonly is: "lost"; readonly because: string } | ({ readonly is: "ended" } & ShellEnd),
      SourceError
    >
  >;
  stop(host: ShellHost, handle: FolderHandle): Promise<Result<void, SourceError>>;
  readFile(
    host: ShellHost,
    path: string,
    maxBytes: number,
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly truncated: boolean }, SourceError>>;
  /** Makes the host's folder for what runs there, where it is not yet; gives its path. A job of the scheduler cannot start without its output's folder. */
  stateFolder(host: ShellHost): Promise<Result<string, SourceError>>;
  /** Boot id of a host, from the configured file. */
  bootId(host: ShellHost): Promise<Result<string, SourceError>>;
  reboot(host: ShellHost): Promise<Result<void, SourceError>>;
}
