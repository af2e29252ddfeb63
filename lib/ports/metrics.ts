import type { Result } from "@/lib/core/kernel/result";
import type { SourceError } from "./source-error";

export type MetricSample = {
  readonly labels: Readonly<Record<string, string>>;
  /** as printed: "NaN" and "+Inf" are texts, never numbers */ readonly text: string;
};
/** A scalar answer has one sample without labels. */
export type InstantAnswer = {
  readonly samples: readonly MetricSample[];
  readonly warnings: readonly string[];
  readonly raw: Uint8Array;
  readonly request: string;
};

/** A metrics store with PromQL. `success` with warnings is partial: the caller decides, never the adapter. */
export interface Metrics {
  ping(): Promise<Result<{ readonly version: string }, SourceError>>;
  instant(query: string): Promise<Result<InstantAnswer, SourceError>>;
}
