import type { Span } from "./window";

/** The freezes that a stretch of time runs into; one that ends exactly when it begins does not count. `to` left out: the instant `from` alone. */
export const occurrences = <F extends Span>(freezes: readonly F[], from: Date, to: Date = from): readonly F[] =>
  freezes.filter((freeze) => freeze.startsAt <= to && from < freeze.endsAt);
