import type { Reading } from "@/lib/core/check/reading";
import { decodeText } from "./input-limits";
import { readNcclJson } from "./nccl-json";
import { readNcclText } from "./nccl-text";
import { notThisFormat } from "./reading-draft";

/** Output of nccl-tests: the printed table, or the report of `-J`. */
export function readNcclTests(bytes: Uint8Array): Reading {
  const text = decodeText(bytes);
  if (!text.ok) return notThisFormat("nccl-tests", text.error);
  return /^\s*\{/.test(text.value) ? readNcclJson(text.value) : readNcclText(text.value);
}
