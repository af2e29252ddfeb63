/** What no database text holds: NUL, and half a surrogate. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * A text as the record will give it back: what it cannot hold is replaced, never a reason to lose the rest. Whoever compares a fresh read with what is
 * kept compares this, or the same read would be new every time (R1.2).
 */
export const storableText = (text: string): string => text.replace(UNSTORABLE, "\uFFFD");
