import { canonicalJson } from "@/lib/core/kernel/canonical-json";

/** One place where two plans differ; `was` or `now` null where it is not there. Both are short texts for showing. */
type PlanDifference = { readonly path: string; readonly was: string | null; readonly now: string | null };

const MAX_DIFFERENCES = 200;

/**
 * What differs, by path ("validate[dcgm].run"): shown when an edit made an approval void. Lists of named things are compared by name,
 * lists of texts by what was added and removed. Give it two covered plans to see only what an approval binds to.
 */
export function planDifference(was: object, now: object): readonly PlanDifference[] {
  const found: PlanDifference[] = [];
  compare("", was, now, found);
  return found.slice(0, MAX_DIFFERENCES);
}

type Members = Readonly<Record<string, unknown>>;

function compare(path: string, was: unknown, now: unknown, found: PlanDifference[]): void {
  if (found.length >= MAX_DIFFERENCES || same(was, now)) return;
  if (isTexts(was) && isTexts(now)) {
    const [before, after] = [new Set(was), new Set(now)];
    const gone = was.filter((text) => !after.has(text));
    const come = now.filter((text) => !before.has(text));
    if (gone.length + come.length > 0)
      found.push({ path, was: gone.length > 0 ? shown(gone) : null, now: come.length > 0 ? shown(come) : null });
    else found.push({ path, was: shown(was), now: shown(now) });
    return;
  }
  const [before, after] = [membersOf(was), membersOf(now)];
  if (before === null || after === null) {
    found.push({ path, was: was === undefined ? null : shown(was), now: now === undefined ? null : shown(now) });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = Array.isArray(was) || Array.isArray(now) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    compare(inner, before[key], after[key], found);
  }
}

const same = (a: unknown, b: unknown): boolean => a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === "string");

/** Members by name; items of a list by their own name, or by position. */
function membersOf(value: unknown): Members | null {
  if (Array.isArray(value)) {
    const keys = value.map((item: unknown, i) => nameOf(item) ?? String(i));
    return new Set(keys).size < keys.length ? null : Object.fromEntries(value.map((item: unknown, i) => [keys[i] ?? String(i), item]));
  }
  return value !== null && typeof value === "object" ? (value as Members) : null;
}

function nameOf(item: unknown): string | null {
  const name = item !== null && typeof item === "object" ? ((item as Members)["name"] ?? (item as Members)["job"]) : null;
  return typeof name === "string" ? name : null;
}

function shown(value: unknown): string {
  const text = isTexts(value) ? value.join(", ") : typeof value === "string" ? value : canonicalJson(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
