/**
 * Slurm host lists, written for the simulator alone so that it cannot share a mistake with the product.
 * `rack[1-2]n[01-10,15]` expands left to right; zero padding is kept.
 */

const MAX_HOSTS = 20_000;

/** Names in the order Slurm lists them, or null where the text is no host list. */
export function expandHosts(text: string): string[] | null {
  const parts = splitTopLevel(text.trim());
  if (parts === null) return null;
  const names: string[] = [];
  for (const part of parts) {
    const expanded = expandOne(part);
    if (expanded === null || names.length + expanded.length > MAX_HOSTS) return null;
    names.push(...expanded);
  }
  return names;
}

/** The shortest form that Slurm itself prints for names that differ in their last number. */
export function foldHosts(names: readonly string[]): string {
  const groups = new Map<string, { width: number; numbers: number[] }>();
  const plain: string[] = [];
  for (const name of [...new Set(names)].sort()) {
    const match = /^(.*?)(\d+)$/.exec(name);
    if (match === null) {
      plain.push(name);
      continue;
    }
    const [, prefix = "", digits = ""] = match;
    const key = `${prefix}\n${digits.length}`;
    const group = groups.get(key) ?? { width: digits.length, numbers: [] };
    group.numbers.push(Number(digits));
    groups.set(key, group);
  }
  const folded = [...groups].map(([key, group]) => foldGroup(key.split("\n")[0] ?? "", group));
  return [...folded, ...plain].join(",");
}

function foldGroup(prefix: string, group: { width: number; numbers: number[] }): string {
  const numbers = group.numbers.sort((a, b) => a - b);
  const pad = (n: number): string => String(n).padStart(group.width, "0");
  const ranges: string[] = [];
  for (let i = 0; i < numbers.length;) {
    let j = i;
    while (numbers[j + 1] === (numbers[j] ?? 0) + 1) j++;
    const [from = 0, to = 0] = [numbers[i], numbers[j]];
    ranges.push(from === to ? pad(from) : `${pad(from)}-${pad(to)}`);
    i = j + 1;
  }
  return numbers.length === 1 ? `${prefix}${ranges[0]}` : `${prefix}[${ranges.join(",")}]`;
}

function splitTopLevel(text: string): string[] | null {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text) {
    if (char === "[") depth++;
    if (char === "]") depth--;
    if (depth < 0 || depth > 1) return null;
    if (char === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  if (depth !== 0) return null;
  parts.push(part);
  return parts.every((p) => /^[A-Za-z0-9_.[\],-]+$/.test(p)) ? parts : null;
}

function expandOne(part: string): string[] | null {
  const open = part.indexOf("[");
  if (open < 0) return [part];
  const close = part.indexOf("]", open);
  const rest = expandOne(part.slice(close + 1));
  const numbers = expandRanges(part.slice(open + 1, close));
  if (rest === null || numbers === null || numbers.length * rest.length > MAX_HOSTS) return null;
  const prefix = part.slice(0, open);
  return numbers.flatMap((n) => rest.map((tail) => `${prefix}${n}${tail}`));
}

function expandRanges(text: string): string[] | null {
  const out: string[] = [];
  for (const piece of text.split(",")) {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(piece);
    if (match === null) return null;
    const [from, to] = [match[1] ?? "", match[2] ?? match[1] ?? ""];
    if (Number(to) < Number(from) || Number(to) - Number(from) >= MAX_HOSTS) return null;
    for (let n = Number(from); n <= Number(to); n++) out.push(String(n).padStart(from.length, "0"));
  }
  return out;
}
