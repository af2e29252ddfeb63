import type { VerdictFacts, VerdictReason, VerdictWord } from "./verdict";

/** One point of a judged output. not_judged: shown, and lowers nothing. */
export type ReadingCheck = {
  readonly name: string;
  readonly entity: string;
  readonly verdict: VerdictWord | "not_judged";
  readonly reason: VerdictReason;
  readonly because: string;
  readonly facts?: VerdictFacts;
};

export const unresolvedCheck = (name: string, entity: string, reason: VerdictReason, because: string): ReadingCheck => ({
  name,
  entity,
  verdict: "unresolved",
  reason,
  because,
});
