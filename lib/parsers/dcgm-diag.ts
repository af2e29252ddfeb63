import type { Reading } from "@/lib/core/check/reading";
import { readDcgmJson } from "./dcgm-json";
import { readDcgmTable } from "./dcgm-table";
import { decodeText } from "./input-limits";
import { addNoise, notThisFormat } from "./reading-draft";

/** Output of `dcgmi diag`, JSON or table, 2.x to 4.x. Lines before the document are kept as noise. */
export function readDcgmDiag(bytes: Uint8Array): Reading {
  const text = decodeText(bytes);
  if (!text.ok) return notThisFormat("dcgm-diag", text.error);
  const start = /^[ \t]*\{/m.exec(text.value);
  if (!start || /^\|\s*Diagnostic\s*\|/m.test(text.value)) return readDcgmTable(text.value);
  const reading = readDcgmJson(text.value.slice(start.index));
  for (const line of text.value.slice(0, start.index).split("\n")) if (line.trim() !== "") addNoise(reading, line);
  return reading;
}
