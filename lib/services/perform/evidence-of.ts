import type { NewEvidence } from "@/lib/ports/store";
import { redact } from "@/lib/parsers/redact";
import type { Hashing } from "../deps";

/** Raw output as evidence, secrets in known forms taken out first. */
export function evidenceOf(hash: Hashing, bytes: Uint8Array, mediaType = "text/plain"): NewEvidence {
  const clean = redact(bytes);
  return { sha256: hash.bytes(clean.bytes), mediaType, bytes: clean.bytes, redactions: clean.redactions };
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: false }).decode(bytes);

/** The first part of an output, for sentences; the whole is the evidence. */
export const saidOf = (bytes: Uint8Array): string => textOf(bytes.subarray(0, 4096)).split("\u0000").join("");

/** Standard output, then standard error under a line of its own when there was any. */
export function outputOf(end: { readonly stdout: Uint8Array; readonly stderr: Uint8Array }): Uint8Array {
  if (end.stderr.length === 0) return end.stdout;
  const line = new TextEncoder().encode("\n--- standard error ---\n");
  const all = new Uint8Array(end.stdout.length + line.length + end.stderr.length);
  all.set(end.stdout, 0);
  all.set(line, end.stdout.length);
  all.set(end.stderr, end.stdout.length + line.length);
  return all;
}
