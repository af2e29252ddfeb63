import { closestWord } from "./closest-word";
import type { DocumentNode, DocumentProblem, Place } from "./document-tree";
import { parseDuration } from "./duration-text";

/**
 * One place of a document while it is read. Readers below note what is wrong in `problems` and go on with a stand-in,
 * so that a person sees every fault at once; whoever reads must look at `problems` before using a value.
 */
export type Field = {
  readonly node: DocumentNode | null;
  readonly path: string;
  readonly at: Place;
  readonly problems: DocumentProblem[];
};

const MAX_PROBLEMS = 50;

export const fieldOf = (node: DocumentNode, problems: DocumentProblem[]): Field => ({ node, path: "", at: node, problems });

export function complain(field: Field, text: string): void {
  const { line, column } = field.node ?? field.at;
  if (field.problems.length < MAX_PROBLEMS) field.problems.push({ line, column, path: field.path, text });
}

/** Nothing stands here: left out, empty, `~` or `null`. */
export const isMissing = (field: Field): boolean =>
  field.node === null || (field.node.is === "text" && !field.node.quoted && /^(?:|~|null)$/.test(field.node.text));

/** The named members of a map; unknown names are errors, with a suggestion. Missing ones are fields without a node. */
export function readMap<K extends string>(field: Field, keys: readonly K[]): Record<K, Field> {
  const node = isMissing(field) ? null : field.node;
  const members = Object.fromEntries(keys.map((key) => [key, memberOf(field, key, null, field.at)])) as Record<K, Field>;
  if (node === null) return members;
  if (node.is !== "map") {
    complain(field, `${nameOf(field)} must be a map of ${keys.join(", ")}.`);
    return members;
  }
  for (const entry of node.entries) {
    if (isOneOf(entry.key, keys)) members[entry.key] = memberOf(field, entry.key, entry.value, entry.at);
    else complain(memberOf(field, entry.key, null, entry.at), unknownName(entry.key, keys));
  }
  return members;
}

/** All members of a map with free names, at most `max`. */
export function readEntries(field: Field, max = 64): readonly { readonly key: string; readonly field: Field }[] {
  if (isMissing(field) || field.node === null) return [];
  if (field.node.is !== "map") {
    complain(field, `${nameOf(field)} must be a map.`);
    return [];
  }
  if (field.node.entries.length > max) complain(field, `${nameOf(field)} has more than ${max} entries.`);
  return field.node.entries.slice(0, max).map((e) => ({ key: e.key, field: memberOf(field, e.key, e.value, e.at) }));
}

/** The items of a list; with `orOne`, a single value stands for a list of it. */
export function readItems(field: Field, max: number, orOne = false): readonly Field[] {
  if (isMissing(field) || field.node === null) return [];
  if (field.node.is !== "list") {
    if (orOne) return [field];
    complain(field, `${nameOf(field)} must be a list.`);
    return [];
  }
  if (field.node.items.length > max) complain(field, `${nameOf(field)} has more than ${max} items.`);
  return field.node.items.slice(0, max).map((item, i) => ({ ...field, node: item, path: `${field.path}[${i}]`, at: item }));
}

export type TextRule = { readonly max?: number; readonly pattern?: RegExp; readonly what?: string; readonly lines?: boolean };

/** Text that must be there. Default limit 253 characters on one line; `what` says what the pattern wants. */
export function readText(field: Field, rule: TextRule = {}): string {
  if (isMissing(field)) {
    complain(field, `${nameOf(field)} is missing.`);
    return "";
  }
  if (field.node?.is !== "text") {
    complain(field, `${nameOf(field)} must be text.`);
    return "";
  }
  const text = rule.lines ? field.node.text : field.node.text.trim();
  const max = rule.max ?? 253;
  if (text.trim() === "") complain(field, `${nameOf(field)} is empty.`);
  else if (text.length > max) complain(field, `${nameOf(field)} is longer than ${max} characters.`);
  else if (!rule.lines && /[\r\n]/.test(text)) complain(field, `${nameOf(field)} must be one line.`);
  else if (rule.pattern && !rule.pattern.test(text))
    complain(field, `${nameOf(field)} must be ${rule.what ?? "written otherwise"}, not ${shown(text)}.`);
  return text;
}

export const readOptionalText = (field: Field, rule: TextRule = {}): string | null => (isMissing(field) ? null : readText(field, rule));

/** One of the words; without a fallback it must be there. */
export function readWord<W extends string>(field: Field, words: readonly W[], fallback?: W): W {
  const first = words[0] as W;
  if (isMissing(field)) {
    if (fallback !== undefined) return fallback;
    complain(field, `${nameOf(field)} is missing: one of ${words.join(", ")}.`);
    return first;
  }
  const text = field.node?.is === "text" ? field.node.text : "";
  if (isOneOf(text, words)) return text;
  const meant = closestWord(text, words);
  complain(field, `${nameOf(field)} must be one of ${words.join(", ")}, not ${shown(text)}.${meant ? ` Did you mean ${meant}?` : ""}`);
  return fallback ?? first;
}

/** A whole number within limits, both included. */
export function readWhole(field: Field, rule: { readonly min: number; readonly max: number; readonly fallback?: number }): number {
  if (isMissing(field)) {
    if (rule.fallback !== undefined) return rule.fallback;
    complain(field, `${nameOf(field)} is missing.`);
    return rule.min;
  }
  const text = field.node?.is === "text" ? field.node.text : "";
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= rule.min && value <= rule.max) return value;
  complain(field, `${nameOf(field)} must be a whole number from ${rule.min} to ${rule.max}, not ${shown(text)}.`);
  return rule.fallback ?? rule.min;
}

/** Milliseconds, from "5m" or "2h30m". */
export function readDuration(field: Field, rule: { readonly minMs?: number; readonly maxMs: number; readonly fallback?: number }): number {
  const minMs = rule.minMs ?? 0;
  if (isMissing(field)) {
    if (rule.fallback !== undefined) return rule.fallback;
    complain(field, `${nameOf(field)} is missing.`);
    return minMs;
  }
  const text = field.node?.is === "text" ? field.node.text : "";
  const ms = parseDuration(text);
  if (ms === null) complain(field, `${nameOf(field)} must be a duration such as 90s, 5m or 2h30m, not ${shown(text)}.`);
  else if (ms < minMs || ms > rule.maxMs)
    complain(field, `${nameOf(field)} must lie between ${minMs / 1000} s and ${rule.maxMs / 1000} s, not ${shown(text)}.`);
  else return ms;
  return rule.fallback ?? minMs;
}

export function readFlag(field: Field, fallback: boolean): boolean {
  return readWord(field, ["true", "false"], fallback ? "true" : "false") === "true";
}

export const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const nameOf = (field: Field): string => (field.path === "" ? "The document" : field.path);
const isOneOf = <W extends string>(text: string, words: readonly W[]): text is W => (words as readonly string[]).includes(text);

function memberOf(field: Field, key: string, node: DocumentNode | null, at: Place): Field {
  const path = field.path === "" ? key : `${field.path}.${key}`;
  return { node, path: path.slice(0, 200), at, problems: field.problems };
}

function unknownName(key: string, keys: readonly string[]): string {
  const meant = closestWord(key, keys);
  return `${shown(key)} is not known here.${meant ? ` Did you mean ${meant}?` : ` Known: ${keys.join(", ")}.`}`;
}
