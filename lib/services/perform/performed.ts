import type { CommandHandle, CommandOutcome } from "@/lib/core/change/command-request";
import type { SourceError } from "@/lib/ports/source-error";
import type { NewEvidence, NewObservation, NewRun, SeenBoot } from "@/lib/ports/store";

/** What came of performing one command: it ended, or it was started and will be found again by its handle. */
export type Performed =
  | {
      readonly is: "ended";
      readonly state: "succeeded" | "failed" | "unknown";
      readonly outcome: CommandOutcome;
      readonly evidence: readonly NewEvidence[];
      readonly observations: readonly NewObservation[];
      readonly boots: readonly SeenBoot[];
      readonly run: NewRun | null;
    }
  | { readonly is: "started"; readonly handle: CommandHandle };

type Extra = Partial<Pick<Extract<Performed, { is: "ended" }>, "evidence" | "observations" | "boots" | "run">>;

export const ended = (outcome: CommandOutcome, extra: Extra = {}): Performed => ({
  is: "ended",
  state: outcome.result === "failed" ? "failed" : outcome.result === "unknown" ? "unknown" : "succeeded",
  outcome,
  evidence: extra.evidence ?? [],
  observations: extra.observations ?? [],
  boots: extra.boots ?? [],
  run: extra.run ?? null,
});

export const done = (because: string, facts: Partial<CommandOutcome> = {}, extra: Extra = {}): Performed =>
  ended({ ...facts, result: "done", because }, extra);
export const already = (because: string, facts: Partial<CommandOutcome> = {}, extra: Extra = {}): Performed =>
  ended({ ...facts, result: "already", because }, extra);
export const failed = (because: string, facts: Partial<CommandOutcome> = {}, extra: Extra = {}): Performed =>
  ended({ ...facts, result: "failed", because }, extra);
export const unknown = (because: string, facts: Partial<CommandOutcome> = {}, extra: Extra = {}): Performed =>
  ended({ ...facts, result: "unknown", because }, extra);

/**
 * A call that got no answer may have been carried out: unknown. One that was refused was not: failed.
 * `unreachable` before anything was sent counts as unknown too, because nobody can tell the two apart from here.
 */
export const fromError = (what: string, error: SourceError, extra: Extra = {}): Performed => {
  const silent = error.code === "unreachable" || error.code === "timed_out" || error.code === "unreadable" || error.code === "partial";
  return (silent ? unknown : failed)(`${what}: ${error.because}`, {}, extra);
};
