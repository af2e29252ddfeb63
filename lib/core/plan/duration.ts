import type { Minutes } from "./maintenance-types";

type WorkAndTotal = { readonly work: Minutes; readonly delaysMinutes: number; readonly total: Minutes };

/** Work = batches x the type's minutes; total = work + the delays between batches. People's time and drains stand beside it, never inside. */
export function workAndTotal(batches: number, perBatch: Minutes, interBatchDelayMs: number): WorkAndTotal {
  const delaysMinutes = (Math.max(0, batches - 1) * interBatchDelayMs) / 60_000;
  const work = { minMinutes: batches * perBatch.minMinutes, maxMinutes: batches * perBatch.maxMinutes };
  return { work, delaysMinutes, total: { minMinutes: work.minMinutes + delaysMinutes, maxMinutes: work.maxMinutes + delaysMinutes } };
}

/** How many batches surely end inside so many minutes, delays between them included. */
export function batchesWithin(minutes: number, perBatch: Minutes, interBatchDelayMs: number): number {
  const delay = interBatchDelayMs / 60_000;
  return Math.max(0, Math.floor((minutes + delay) / (perBatch.maxMinutes + delay)));
}
