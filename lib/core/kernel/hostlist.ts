import { byName } from "./natural-order";
import { err, ok } from "./result";
import type { Result } from "./result";

const MAX_NAMES = 100_000;
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_NAME = 253;
const MAX_DEPTH = 8;

type HostlistProblem = {
  readonly code: "empty" | "syntax" | "too_many" | "too_long";
  readonly because: string;
};

/**
 * A Slurm host list as names, in the order written, each once: `gpu[001-003,07]`, `r[1-2]n[1-4]`, `a,b[1-2]-ib`.
 * Zero padding is that of a range's first number. At most 100,000 names of at most 253 characters.
 */
export function expandHostlist(text: string): Result<readonly string[], HostlistProblem> {
  if (text.trim() === "") return err({ code: "empty", because: "The host list is empty." });
  if (text.length > MAX_TEXT) return err({ code: "too_long", because: `The host list is longer than ${MAX_TEXT} characters.` });
  const reader: Reader = { text, at: 0 };
  const list = readList(reader, 0);
  if (!list.ok) return list;
  if (reader.at < text.length) return syntax(reader, `"${text.charAt(reader.at)}" closes nothing`);
  return ok([...new Set(list.value)]);
}

/** The shortest usual form: `gpu[001-064],login1`. Expanding it gives the same names. */
export function foldHostlist(names: readonly string[]): string {
  const groups = new Map<string, { prefix: string; suffix: string; numbers: string[] }>();
  for (const name of [...new Set(names)].sort(byName)) {
    const match = /^(.*?)(\d{1,15})(\D*)$/s.exec(name);
    const [prefix, number, suffix] = match ? [match[1] ?? "", match[2] ?? "", match[3] ?? ""] : [name, "", ""];
    const key = JSON.stringify([prefix, suffix, number === ""]);
    const group = groups.get(key) ?? { prefix, suffix, numbers: [] };
    group.numbers.push(number);
    groups.set(key, group);
  }
  return [...groups.values()].map(foldGroup).join(",");
}

function foldGroup(group: { prefix: string; suffix: string; numbers: string[] }): string {
  const { prefix, suffix, numbers } = group;
  if (numbers.length === 1) return `${prefix}${numbers[0] ?? ""}${suffix}`;
  const sorted = [...numbers].sort((a, b) => a.length - b.length || Number(a) - Number(b));
  const ranges: string[] = [];
  for (let i = 0; i < sorted.length;) {
    const first = sorted[i] ?? "";
    let last = first;
    let next = i + 1;
    while (sorted[next] === padded(Number(last) + 1, first.length)) {
      last = sorted[next] ?? "";
      next += 1;
    }
    ranges.push(first === last ? first : `${first}-${last}`);
    i = next;
  }
  return `${prefix}[${ranges.join(",")}]${suffix}`;
}

type Reader = { readonly text: string; at: number };
type Names = Result<string[], HostlistProblem>;

const padded = (n: number, width: number): string => String(n).padStart(width, "0");
const syntax = (r: Reader, what: string): { readonly ok: false; readonly error: HostlistProblem } =>
  err({ code: "syntax", because: `At character ${r.at + 1} of the host list: ${what}.` });
const tooMany = (): { readonly ok: false; readonly error: HostlistProblem } =>
  err({ code: "too_many", because: `The host list stands for more than ${MAX_NAMES} names.` });

/** item ("," item)*, up to the end of the text or a closing bracket. */
function readList(r: Reader, depth: number): Names {
  const names: string[] = [];
  for (;;) {
    const item = depth > 0 ? readRangeOrItem(r, depth) : readItem(r, depth);
    if (!item.ok) return item;
    if (names.length + item.value.length > MAX_NAMES) return tooMany();
    for (const name of item.value) names.push(name);
    if (r.text.charAt(r.at) !== ",") return ok(names);
    r.at += 1;
  }
}

function readRangeOrItem(r: Reader, depth: number): Names {
  // Letters may stand before both numbers: gpu-[a13-a16].
  const range = /\s*([A-Za-z]{0,32})(\d+)-\1(\d+)\s*(?=[,\]])/y;
  range.lastIndex = r.at;
  const match = range.exec(r.text);
  if (!match) return readItem(r, depth);
  const [letters, from, to] = [match[1] ?? "", match[2] ?? "", match[3] ?? ""];
  if (from.length > 15 || to.length > 15) return syntax(r, "a number has more than 15 digits");
  const [low, high] = [Number(from), Number(to)];
  if (high < low) return syntax(r, `the range ${from}-${to} runs backwards`);
  if (high - low >= MAX_NAMES) return tooMany();
  r.at += match[0].length;
  return ok(Array.from({ length: high - low + 1 }, (_, i) => `${letters}${padded(low + i, from.length)}`));
}

/** Letters and bracketed lists side by side: every combination, left to right. */
function readItem(r: Reader, depth: number): Names {
  let names = [""];
  skipSpace(r);
  const start = r.at;
  for (;;) {
    const part = readPart(r, depth);
    if (part === null) break;
    if (!part.ok) return part;
    if (names.length * part.value.length > MAX_NAMES) return tooMany();
    names = names.length === 1 ? part.value.map((tail) => `${names[0] ?? ""}${tail}`) : crossed(names, part.value);
    if (names.some((name) => name.length > MAX_NAME)) return syntax(r, `a name has more than ${MAX_NAME} characters`);
  }
  if (r.at === start) return syntax(r, describeEmpty(r));
  skipSpace(r);
  const next = r.text.charAt(r.at);
  if (next !== "" && next !== "," && next !== "]") return syntax(r, `${JSON.stringify(next)} cannot stand in a node name`);
  return ok(names);
}

/** The next literal or bracket; null where the item ends. */
function readPart(r: Reader, depth: number): Names | null {
  if (r.text.charAt(r.at) === "[") {
    if (depth >= MAX_DEPTH) return syntax(r, `brackets are nested deeper than ${MAX_DEPTH}`);
    const open: Reader = { text: r.text, at: r.at };
    r.at += 1;
    const inner = readList(r, depth + 1);
    if (!inner.ok) return inner;
    if (r.text.charAt(r.at) !== "]") return syntax(open, "this bracket is not closed");
    r.at += 1;
    return inner;
  }
  const literal = /[A-Za-z0-9._-]+/y;
  literal.lastIndex = r.at;
  const match = literal.exec(r.text);
  if (!match) return null;
  r.at += match[0].length;
  return ok([match[0]]);
}

function skipSpace(r: Reader): void {
  while (/\s/.test(r.text.charAt(r.at))) r.at += 1;
}

const crossed = (heads: readonly string[], tails: readonly string[]): string[] => heads.flatMap((h) => tails.map((t) => `${h}${t}`));

function describeEmpty(r: Reader): string {
  const next = r.text.charAt(r.at);
  return next === "" || next === "," || next === "]" ? "a name is missing" : `${JSON.stringify(next)} cannot stand in a node name`;
}
