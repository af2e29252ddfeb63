import type { Reading } from "@/lib/core/check/reading";
import { decodeText, splitLines } from "./input-limits";
import { addText, newDraft, notThisFormat } from "./reading-draft";

/** Plain lines, for `expect`: every line that is not empty is a value named "line". What a text means is said by its expectation alone. */
export function readPlainText(bytes: Uint8Array): Reading {
  const text = decodeText(bytes);
  if (!text.ok) return notThisFormat("text", text.error);
  const split = splitLines(text.value);
  if (!split.ok) return notThisFormat("text", split.error);
  const draft = newDraft("text");
  for (const [index, line] of split.value.lines.entries()) if (line.trim() !== "") addText(draft, "line", `line ${index + 1}`, line.trim());
  return draft;
}
