import type { Reading } from "@/lib/core/check/reading";
import { decodeText } from "./input-limits";
import { notThisFormat } from "./reading-draft";
import { readSmiCsv } from "./smi-csv";
import { readSmiXml } from "./smi-xml";

/** Output of nvidia-smi: `--query-gpu` as CSV, or `-q -x` as XML, and the texts by which it says that it could not. */
export function readNvidiaSmi(bytes: Uint8Array): Reading {
  const text = decodeText(bytes);
  if (!text.ok) return notThisFormat("nvidia-smi", text.error);
  const first = text.value.split("\n", 100).find((line) => line.trim() !== "" && !line.startsWith("WARNING:"));
  const xml = /^\s*<(?:\?xml|!DOCTYPE|nvidia_smi_log)/.test(first ?? "");
  return xml ? readSmiXml(text.value) : readSmiCsv(text.value);
}
