/** Control characters, lone surrogates, the mark of undecodable bytes, and the invisible marks that make text read otherwise than it is. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

/** The first character that no text from outside may hold, as "U+202E", and where it stands; null when there is none. */
export function forbiddenCharacter(text: string): { readonly code: string; readonly index: number } | null {
  const bad = FORBIDDEN.exec(text);
  if (bad === null) return null;
  const point = bad[0].codePointAt(0) ?? 0;
  return { code: `U+${point.toString(16).toUpperCase().padStart(4, "0")}`, index: bad.index };
}
