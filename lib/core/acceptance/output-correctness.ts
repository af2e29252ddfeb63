import { judgeReading } from "@/lib/core/check/judge-reading";
import type { Reading } from "@/lib/core/check/reading";
import type { AcceptanceJobSpec } from "./job";
import type { RunOutput } from "./run";

/** Whether a run's output is what the job expects (R3.2). What cannot be read is unknown, never correct. */
export function outputCorrectness(
  expected: AcceptanceJobSpec["expectOutput"],
  output: { readonly reading: Reading | null; readonly text: string; readonly sha256: string },
): Pick<RunOutput, "correct" | "because"> {
  switch (expected.kind) {
    case "parser":
      return byParser(expected.values, output.reading);
    case "sha256":
      if (output.text === "") return { correct: "unknown", because: "the output is empty" };
      return output.sha256 === expected.sha256.toLowerCase()
        ? { correct: "correct", because: "the output has the expected hash" }
        : { correct: "wrong", because: `the output's hash is ${output.sha256.slice(0, 12)}..., not ${expected.sha256.slice(0, 12)}...` };
    case "exact":
      if (output.text === "") return { correct: "unknown", because: "the output is empty" };
      return output.text.trim() === expected.text.trim()
        ? { correct: "correct", because: "the output is the expected text" }
        : { correct: "wrong", because: "the output is another text than the expected one" };
    case "number":
      return byNumber(expected, output.text);
  }
}

function byParser(
  values: Extract<AcceptanceJobSpec["expectOutput"], { kind: "parser" }>["values"],
  reading: Reading | null,
): Pick<RunOutput, "correct" | "because"> {
  if (reading === null) return { correct: "unknown", because: "no parser has read the output" };
  const { judged, checks } = judgeReading(reading, null, null, null, { gpus: null, named: values });
  // Slow is not wrong: only what was expected, and the tool's own validation, say something about correctness.
  const wrong = checks.find((check) => check.verdict === "fail");
  if (wrong) return { correct: "wrong", because: wrong.because };
  return { correct: judged.verdict === "pass" ? "correct" : "unknown", because: judged.because };
}

function byNumber(
  { value, tolerance }: { readonly value: number; readonly tolerance: number },
  text: string,
): Pick<RunOutput, "correct" | "because"> {
  const written = text.trim();
  const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(written) ? Number(written) : NaN;
  if (!Number.isFinite(number)) return { correct: "unknown", because: `the output is no number: "${written.slice(0, 60)}"` };
  const away = Math.abs(number - value);
  return away <= Math.abs(tolerance)
    ? { correct: "correct", because: `${number} is within ${tolerance} of ${value}` }
    : { correct: "wrong", because: `${number} is ${away} away from ${value}, more than ${tolerance}` };
}
