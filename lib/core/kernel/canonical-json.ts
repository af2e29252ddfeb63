const MAX_DEPTH = 100;

/**
 * One text per value (after RFC 8785): members sorted by UTF-16 units, no spaces, dates as ISO texts. Fingerprints and the audit chain hash it.
 * Members that are undefined are left out. Throws on what has no JSON form (NaN, Infinity, bigint, functions, undefined in lists, class instances, circles):
 * hashing such a value would be a bug.
 */
export function canonicalJson(value: unknown): string {
  return write(value, "$", 0);
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`canonical JSON: ${path} is nested deeper than ${MAX_DEPTH}`);
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON: ${path} is ${value}`);
    return JSON.stringify(value);
  }
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${Array.from(value, (item, i) => write(item, `${path}[${i}]`, depth + 1)).join(",")}]`;
  if (typeof value === "object" && isPlain(value)) return writeMembers(value as Record<string, unknown>, path, depth);
  throw new TypeError(`canonical JSON: ${path} has no JSON form (${typeof value})`);
}

function writeMembers(value: Record<string, unknown>, path: string, depth: number): string {
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${write(value[key], `${path}.${key}`, depth + 1)}`);
  return `{${members.join(",")}}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
