import { problem } from "./problem";

type Body = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly response: Response };

/** Reads a request body up to its limit and not a byte further: a larger one is refused while it is still arriving. */
export async function readBody(request: Request, limitBytes: number): Promise<Body> {
  const tooLarge = (): Body => ({
    ok: false,
    response: problem(413, "too_large", "The body is too large", `At most ${limitBytes.toLocaleString("en")} bytes are read here.`),
  });
  if (Number(request.headers.get("content-length") ?? "0") > limitBytes) return tooLarge();
  if (request.body === null) return { ok: true, bytes: new Uint8Array() };
  const parts: Uint8Array[] = [];
  let total = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.length;
    if (total > limitBytes) {
      await reader.cancel();
      return tooLarge();
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { ok: true, bytes };
}

/** Strict UTF-8: bytes that are none are refused rather than replaced. */
export function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return null;
    throw cause;
  }
}

/** JSON of a bounded depth; the parse of V8 itself does not recurse without limit, what reads it later might. */
export function readJson(
  text: string,
  maxDepth = 32,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly because: string } {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inText) {
      if (character === "\\") at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > maxDepth) return { ok: false, because: `nested deeper than ${maxDepth} levels at character ${at + 1}` };
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { ok: false, because: `not JSON: ${cause.message}` };
    throw cause;
  }
}
