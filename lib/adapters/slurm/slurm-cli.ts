import type { Result } from "@/lib/core/kernel/result";
import type { ShellEnd } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";

/**
 * Runs one of Slurm's programs with an argument vector; no shell ever sees the arguments unquoted. Programs run with TZ=UTC, so that the local times
 * they print have a known zone, and with a bounded output: `truncated` is an error for every reader.
 */
export type SlurmCli = { run(argv: readonly string[], stdin?: string): Promise<Result<ShellEnd, SourceError>> };

export const CLI_TIMEOUT_MS = 60_000;
/** A list of 10,000 nodes as JSON is about 20 MB. */
export const CLI_MAX_BYTES = 128 * 1024 * 1024;

/** What every program gets, wherever it runs: a known zone, plain times and no colours or localised texts. */
export const CLI_ENVIRONMENT = { TZ: "UTC", SLURM_TIME_FORMAT: "standard", LC_ALL: "C" } as const;
