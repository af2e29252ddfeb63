/** Why a use case did nothing. The same words stand on the page, in the API and in the worker's log. */
export type Refusal = {
  /** not_allowed: not this person; closed: not now, whoever asks; invalid: the input; conflict: somebody changed it meanwhile. */
  readonly code: "not_found" | "not_allowed" | "closed" | "invalid" | "conflict";
  readonly because: string;
  /** Where in the input, one line each: "line 12, target.driver: ...". */
  readonly places: readonly string[];
};

export const refusal = (code: Refusal["code"], because: string, places: readonly string[] = []): Refusal => ({ code, because, places });
