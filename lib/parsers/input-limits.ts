import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LINE = 64 * 1024;
const MAX_LINES = 100_000;

/** Bytes as text, or why they are refused before anything reads them: too large, not UTF-8, binary. A byte order mark is dropped. */
export function decodeText(bytes: Uint8Array): Result<string, string> {
  if (bytes.length > MAX_BYTES) return err(`input has ${bytes.length} bytes, more than the limit of ${MAX_BYTES}`);
  const zero = bytes.indexOf(0);
  if (zero >= 0) return err(`input is binary or UTF-16: byte ${zero} is zero`);
  const text = new TextDecoder("utf-8").decode(bytes);
  const broken = text.indexOf("\ufffd");
  if (broken >= 0 && !isValidUtf8(bytes)) return err(`input is not UTF-8 (near character ${broken})`);
  return ok(text);
}

/** Lines of bounded length and number. `closed`: the last line ended with a newline; where it did not, it may be cut. */
export function splitLines(text: string): Result<{ readonly lines: readonly string[]; readonly closed: boolean }, string> {
  const lines = text.split(/\r?\n/);
  const closed = lines.at(-1) === "";
  if (closed) lines.pop();
  if (lines.length > MAX_LINES) return err(`input has ${lines.length} lines, more than the limit of ${MAX_LINES}`);
  const long = lines.findIndex((line) => line.length > MAX_LINE);
  if (long >= 0) return err(`line ${long + 1} is longer than ${MAX_LINE} characters`);
  return ok({ lines, closed });
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
