import type { Reading } from "@/lib/core/check/reading";
import type { SourceError } from "@/lib/ports/source-error";
import { addProblem, newDraft, type Draft } from "@/lib/parsers/reading-draft";

/** What a wire reader refused, as a reading: an error body is no data, a cut answer is partial, another version is not this format. */
export function readingOfError(parser: string, error: SourceError): Reading {
  const draft: Draft = newDraft(parser);
  if (error.code === "unsupported_version") {
    draft.understood = "not_this_format";
    addProblem(draft, "unsupported_version", error.because);
  } else if (error.code === "partial" || /not closed at character/.test(error.because)) {
    draft.understood = "partial";
    addProblem(draft, "truncated", error.because);
  } else {
    draft.understood = error.code === "unreadable" ? "not_this_format" : "did_not_run";
    addProblem(draft, error.code === "timed_out" ? "timed_out" : "tool_error", error.because);
  }
  return draft;
}
