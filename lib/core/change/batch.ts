export type BatchState = "waiting" | "running" | "succeeded" | "failed" | "decided" | "withdrawn";

/** extraOf: the rest of a batch that did not fit, run right after it (R6.3); also retries, appended with null. */
export type Batch = {
  readonly number: number;
  readonly extraOf: number | null;
  readonly state: BatchState;
  readonly notBefore: Date | null;
  /** A person (or `advance: auto`) asked for it; it takes nodes as soon as nothing is in the way. */
  readonly askedFor: boolean;
};
