import type { Batch } from "@/lib/core/change/batch";

export const aBatch = (number: number, overrides: Partial<Batch> = {}): Batch => ({
  number,
  extraOf: null,
  state: "waiting",
  notBefore: null,
  askedFor: false,
  ...overrides,
});
