import type { Sha256 } from "@/lib/core/kernel/ids";

/** One line of a chain as it is stored; hashes as 64 hex digits. */
export type ChainEvent = {
  readonly chain: string;
  readonly seq: number;
  readonly action: string;
  readonly body: string;
  readonly prevHash: string;
  readonly hash: string;
};
type ChainHashing = { readonly text: (text: string) => Sha256; readonly bytes: (bytes: Uint8Array) => Sha256 };
export type ChainVerdict = {
  readonly chain: string;
  readonly intact: boolean;
  readonly events: number;
  readonly rows: number;
  /** The first entry that does not hold, null when all do. */
  readonly broken: { readonly seq: number; readonly what: string } | null;
};

/**
 * Recomputes a chain from its first line: every number, every link, every body's hash; then every row that the lines answer for, against the
 * newest line that names it (an older one speaks of an older state). `rows`: the hash of each named row as it is now, null when it is gone.
 * An empty chain is broken: whatever exists began with a line.
 */
export function verifyChain(
  chain: string,
  events: readonly ChainEvent[],
  rows: ReadonlyMap<string, string | null>,
  hash: ChainHashing,
): ChainVerdict {
  const newest = new Map<string, { readonly seq: number; readonly hash: string | null }>();
  const verdict = (broken: ChainVerdict["broken"]): ChainVerdict => ({
    chain,
    intact: broken === null,
    events: events.length,
    rows: newest.size,
    broken,
  });
  if (events.length === 0) return verdict({ seq: 1, what: "the chain has no first entry" });
  let previous: string = hash.text(chain);
  for (const [at, event] of events.entries()) {
    const seq = at + 1;
    if (event.seq !== seq) return verdict({ seq, what: `entry ${seq} is missing; ${event.seq} stands in its place` });
    if (event.prevHash !== previous) return verdict({ seq, what: `entry ${seq} (${event.action}) does not follow from the one before` });
    if (hash.bytes(bytesOf(event)) !== event.hash)
      return verdict({ seq, what: `entry ${seq} (${event.action}) was changed after it was written` });
    const named = rowsOf(event.body);
    if (named === null) return verdict({ seq, what: `entry ${seq} (${event.action}) cannot be read` });
    for (const [ref, rowHash] of named) newest.set(ref, { seq, hash: rowHash });
    previous = event.hash;
  }
  return verdict(firstChangedRow(newest, rows));
}

function firstChangedRow(
  newest: ReadonlyMap<string, { readonly seq: number; readonly hash: string | null }>,
  rows: ReadonlyMap<string, string | null>,
): ChainVerdict["broken"] {
  const changed = [...newest]
    .filter(([ref, named]) => (rows.get(ref) ?? null) !== named.hash)
    .sort(([, left], [, right]) => left.seq - right.seq);
  const [first] = changed;
  if (first === undefined) return null;
  const [ref, named] = first;
  const gone = (rows.get(ref) ?? null) === null;
  return { seq: named.seq, what: `${ref}, written with entry ${named.seq}, ${gone ? "is gone" : "was changed since"}` };
}

/** What is hashed: the previous hash as bytes, then the body as UTF-8. */
function bytesOf(event: ChainEvent): Uint8Array {
  const body = utf8(event.body);
  const bytes = new Uint8Array(event.prevHash.length / 2 + body.length);
  for (let at = 0; at < event.prevHash.length; at += 2) bytes[at / 2] = Number.parseInt(event.prevHash.slice(at, at + 2), 16);
  bytes.set(body, event.prevHash.length / 2);
  return bytes;
}

/** UTF-8 without an encoder of the surroundings: the core has none. */
function utf8(text: string): Uint8Array {
  const escaped = encodeURIComponent(text);
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at += 1) {
    if (escaped[at] === "%") {
      bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16));
      at += 2;
    } else bytes.push(escaped.charCodeAt(at));
  }
  return Uint8Array.from(bytes);
}

/** Rows a body answers for; null when it is no such body. */
export function rowsOf(body: string): ReadonlyMap<string, string | null> | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
  const rows = typeof parsed === "object" && parsed !== null && "rows" in parsed ? parsed.rows : undefined;
  if (typeof rows !== "object" || rows === null) return null;
  return new Map(Object.entries(rows).map(([ref, rowHash]) => [ref, typeof rowHash === "string" ? rowHash : null]));
}
