import { z } from "zod";
import { VERDICT_REASONS } from "./verdict";

/**
 * What a parser understood of one tool output. Facts and problems, never a verdict: judging is `judgeReading`'s.
 * JSON-safe, because it is kept beside the evidence it came from.
 */
export const Reading = z.strictObject({
  parser: z.string(),
  /** Tool, library and driver versions as printed: {"nccl": "2.27.3", "driver": "570.172.08"}. */
  versions: z.record(z.string(), z.string()),
  /** complete: read to its end. partial: cut, missing footer, rows that do not parse. did_not_run: the tool itself says so. */
  understood: z.enum(["complete", "partial", "did_not_run", "not_this_format"]),
  /** Anything that forbids a pass, with the place in the output; `entity` null concerns the whole output. */
  problems: z.array(z.strictObject({ reason: z.enum(VERDICT_REASONS), entity: z.string().nullable(), because: z.string() })),
  /** The tool's own word on one of its tests and entities ("gpu 1", "memory"). */
  statements: z.array(
    z.strictObject({ test: z.string(), entity: z.string(), says: z.enum(["pass", "fail", "unresolved", "skipped"]), because: z.string() }),
  ),
  /**
   * Named values by entity. `value` null: unit "text" or "local time" is a text as printed (a version, a state); unit "no value" means the tool printed a
   * non-value, kept in `text` in words.
   */
  values: z.array(
    z.strictObject({
      name: z.string(),
      entity: z.string(),
      value: z.number().nullable(),
      text: z.string(),
      unit: z.string(),
    }),
  ),
  /** Numbers by message size (bytes, 0 where there is none) and placement ("in-place", "out-of-place", ""). */
  measurements: z.array(
    z.strictObject({ metric: z.string(), bucket: z.number(), placement: z.string(), value: z.number(), unit: z.string() }),
  ),
  /** Under which conditions it was measured: what must be equal before two runs are compared. */
  conditions: z.record(z.string(), z.string()),
  /** Wrong values found by the tool's own validation; null: validation did not run, so correctness is unknown. */
  wrongValues: z.number().nullable(),
  /** Lines that belong to no structure, counted and kept (at most 50 of them): nothing is dropped silently. */
  noise: z.strictObject({ count: z.number(), lines: z.array(z.string()) }),
  notes: z.array(z.string()),
});
export type Reading = z.infer<typeof Reading>;
