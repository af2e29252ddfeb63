import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import { decodeText } from "./input-limits";

const MAX_DEPTH = 64;
/** ended: the text stops before the document does. Anything else is wrong at `offset`, or never was JSON. */
type JsonProblem = { readonly ended: boolean; readonly offset: number; readonly because: string };

/** JSON of bounded size and depth; a problem names the character where reading stopped, never a stack. */
export function readJsonText(bytes: Uint8Array): Result<unknown, JsonProblem> {
  const text = decodeText(bytes);
  return text.ok ? parseJson(text.value) : err({ ended: false, offset: 0, because: text.error });
}

export function parseJson(text: string): Result<unknown, JsonProblem> {
  const shape = scan(text);
  if (shape.tooDeepAt !== null)
    return err({ ended: false, offset: shape.tooDeepAt, because: `nested deeper than ${MAX_DEPTH} at character ${shape.tooDeepAt}` });
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const told = /position (\d+)/.exec(error instanceof Error ? error.message : "");
    const offset = told && !shape.open ? Number(told[1]) : shape.open ? text.length : 0;
    const because = shape.open ? `the document is not closed at character ${offset}` : `not JSON at character ${offset}`;
    return err({ ended: shape.open, offset, because });
  }
}

/** One pass without recursion: how deep it goes, and whether something opened is still open at the end. */
function scan(text: string): { readonly tooDeepAt: number | null; readonly open: boolean } {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 92) at++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123 || char === 91) {
      if (++depth > MAX_DEPTH) return { tooDeepAt: at, open: true };
    } else if (char === 125 || char === 93) depth--;
  }
  return { tooDeepAt: null, open: inString || depth > 0 };
}
