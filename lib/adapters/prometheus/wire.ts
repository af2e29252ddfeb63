import { z } from "zod";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import { readJsonText } from "@/lib/parsers/json-text";
import type { MetricSample } from "@/lib/ports/metrics";
import type { SourceError } from "@/lib/ports/source-error";

const Point = z.tuple([z.number(), z.string()]);
const Failure = z.looseObject({ status: z.literal("error"), errorType: z.string().nullish(), error: z.string().nullish() });
const Success = z.looseObject({
  status: z.literal("success"),
  data: z.looseObject({ resultType: z.string(), result: z.unknown() }),
  warnings: z.array(z.string()).nullish(),
});
const Vector = z.array(z.looseObject({ metric: z.record(z.string(), z.string()), value: Point }));
/** What the server's own error types mean for us. */
const CODES: Readonly<Record<string, SourceError["code"]>> = {
  timeout: "timed_out",
  canceled: "timed_out",
  bad_data: "refused",
  execution: "refused",
  unavailable: "unreachable",
  internal: "unreachable",
  not_found: "not_found",
};

type Instant = {
  readonly samples: readonly MetricSample[];
  readonly warnings: readonly string[];
  /** When the server evaluated, which is not when a sample was taken; null for an empty vector. */
  readonly evaluatedAt: Date | null;
};

/**
 * The answer to an instant query: a vector, or a scalar or string as one sample without labels. Values stay texts: "NaN" and "+Inf" are not numbers.
 * An error body, a matrix, native histograms and anything cut are errors, never an empty answer.
 */
export function readInstant(bytes: Uint8Array): Result<Instant, SourceError> {
  const json = readJsonText(bytes);
  if (!json.ok) return unreadable(json.error.because);
  const failure = Failure.safeParse(json.value);
  if (failure.success) {
    const { errorType, error } = failure.data;
    const code = CODES[errorType ?? ""] ?? "unreadable";
    return err({ code, because: `the metrics store reports ${errorType ?? "an error"}: ${(error ?? "no text").slice(0, 500)}` });
  }
  const answer = Success.safeParse(json.value);
  if (!answer.success) return unreadable("it has neither status success with data nor status error");
  const { data, warnings } = answer.data;
  switch (data.resultType) {
    case "vector":
      return vectorOf(data.result, warnings ?? []);
    case "scalar":
    case "string": {
      const point = Point.safeParse(data.result);
      if (!point.success) return unreadable(`its ${data.resultType} is not [time, "text"]`);
      return ok({ samples: [{ labels: {}, text: point.data[1] }], warnings: warnings ?? [], evaluatedAt: instantOf(point.data[0]) });
    }
    default:
      return unreadable(`result type ${data.resultType.slice(0, 40)} is not one of an instant query`);
  }
}

function vectorOf(result: unknown, warnings: readonly string[]): Result<Instant, SourceError> {
  if (Array.isArray(result) && result.some((entry: unknown) => typeof entry === "object" && entry !== null && "histogram" in entry))
    return unreadable("it holds native histograms, which have no single value");
  const vector = Vector.safeParse(result);
  if (!vector.success) {
    const issue = vector.error.issues[0];
    return unreadable(`result.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong shape"}`);
  }
  const samples = vector.data.map(({ metric, value }) => ({ labels: metric, text: value[1] }));
  return ok({ samples, warnings, evaluatedAt: instantOf(vector.data[0]?.value[0]) });
}

const instantOf = (seconds: number | undefined): Date | null =>
  seconds === undefined || !Number.isFinite(seconds) || Math.abs(seconds) > 8.64e12 ? null : new Date(seconds * 1000);
const unreadable = (because: string) => err({ code: "unreadable" as const, because: `metrics answer not understood: ${because}` });
