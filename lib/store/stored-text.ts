import { storableText } from "@/lib/core/kernel/storable-text";

export const storedText = storableText;
export const storedTextOrNull = (text: string | null): string | null => (text === null ? null : storedText(text));

/** Text of a JSON column, names of members included: a label's name comes from outside as its value does. */
export const json = (value: unknown): string => JSON.stringify(value, (_key, inner: unknown) => storable(inner)) ?? "null";

function storable(inner: unknown): unknown {
  if (typeof inner === "string") return storedText(inner);
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
  return Object.keys(inner).some((key) => storedText(key) !== key)
    ? Object.fromEntries(Object.entries(inner).map(([key, one]: [string, unknown]) => [storedText(key), one]))
    : inner;
}

export const bytesOf = (sha256: string): Buffer => Buffer.from(sha256, "hex");
export const bytesOrNull = (sha256: string | null | undefined): Buffer | null => (sha256 ? bytesOf(sha256) : null);
