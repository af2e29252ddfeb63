import { z } from "zod";

/** A limit as written: ["above", 95, "%"]. Percentages are of the baseline's value of the same row; a number on the limit fails (R2.5). */
const Bound = z.union([z.strictObject({ value: z.number() }), z.strictObject({ percentOfBaseline: z.number() })]);
export type Bound = z.infer<typeof Bound>;

/** One grammar for validate, telemetry, acceptance metrics, `--expect` and `--limit`. Texts stay texts: a version is never a number. */
export const Expectation = z.union([
  z.strictObject({ equals: z.string() }),
  z.strictObject({ every: z.string() }),
  z.strictObject({ oneOf: z.array(z.string()).min(1) }),
  z.strictObject({ above: Bound }),
  z.strictObject({ below: Bound }),
  z.strictObject({ atLeast: Bound }),
  z.strictObject({ atMost: Bound }),
  z.strictObject({ notAbove: z.literal("before") }),
  z.strictObject({ absent: z.literal(true) }),
]);
export type Expectation = z.infer<typeof Expectation>;
