import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import type { ObservationId } from "@/lib/core/kernel/ids";
import type { Judged, VerdictFacts, VerdictReason } from "@/lib/core/check/verdict";

/** A row that passes, resting on the facts of the record it was read from. */
export const passed = (because: string, record: unknown, observations: readonly ObservationId[] = []): Judged => ({
  verdict: "pass",
  reason: "as_expected",
  because,
  facts: {},
  rests: { observations, record: canonicalJson(record) },
});

export const failed = (because: string, facts: VerdictFacts = {}): Judged => ({
  verdict: "fail",
  reason: "not_as_expected",
  because,
  facts,
  rests: { observations: [] },
});

export const unresolved = (reason: VerdictReason, because: string, facts: VerdictFacts = {}): Judged => ({
  verdict: "unresolved",
  reason,
  because,
  facts,
  rests: { observations: [] },
});
