import { forbiddenCharacter } from "./forbidden-character";
import { err, ok } from "./result";
import type { Result } from "./result";

/** One thing that is wrong in a document a person wrote, with its place (counted from 1) and the path of names to it ("target.nodes"). */
export type DocumentProblem = { readonly line: number; readonly column: number; readonly path: string; readonly text: string };
export type Place = { readonly line: number; readonly column: number };
/**
 * A document as its author typed it: every scalar is its text, so 570.10 is not 570.1 (R1.4).
 * `quoted`: written in quotes or as a block, so "" and "null" mean themselves.
 */
export type DocumentNode = Place &
  (
    | { readonly is: "text"; readonly text: string; readonly quoted: boolean }
    | { readonly is: "list"; readonly items: readonly DocumentNode[] }
    | { readonly is: "map"; readonly entries: readonly { readonly key: string; readonly at: Place; readonly value: DocumentNode }[] }
  );

/** The parts of the `yaml` package that are used; it comes in as an argument so that only the two readers import it. */
type YamlLibrary = {
  readonly parseDocument: (text: string, options: typeof OPTIONS) => ParsedYaml;
  readonly isMap: (node: unknown) => boolean;
  readonly isSeq: (node: unknown) => boolean;
  readonly isScalar: (node: unknown) => boolean;
  readonly isAlias: (node: unknown) => boolean;
};
type ParsedYaml = {
  readonly contents: unknown;
  readonly errors: readonly { readonly message: string; readonly pos: readonly [number, number] }[];
};
type RawNode = {
  readonly range?: readonly [number, number, number] | null;
  readonly items?: readonly unknown[];
  readonly value?: unknown;
  readonly type?: string;
  readonly tag?: string;
  readonly resolve?: (doc: unknown) => unknown;
};

export const MAX_DOCUMENT_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
const MAX_NODES = 20_000;
const MAX_PROBLEMS = 50;
/** failsafe: nothing is turned into a number, a date or a boolean. Duplicate keys are found here, in linear time. */
const OPTIONS = { schema: "failsafe", version: "1.2", uniqueKeys: false, prettyErrors: false, logLevel: "error" } as const;

/** Reads at most 256 KiB of YAML. Never throws; aliases are followed within a budget of 20,000 nodes and 32 levels. */
export function readDocumentTree(text: string, yaml: YamlLibrary): Result<DocumentNode, DocumentProblem[]> {
  const refused = refuseText(text);
  if (refused) return err([refused]);
  const place = placesOf(text);
  let parsed: ParsedYaml;
  try {
    parsed = yaml.parseDocument(text, OPTIONS);
  } catch (thrown) {
    // The library recurses; what exhausts its stack, or trips it otherwise, is not a document we want.
    return err([
      {
        line: 1,
        column: 1,
        path: "",
        text: `This is not readable as YAML: ${firstLine(thrown instanceof Error ? thrown.message : "unknown fault")}.`,
      },
    ]);
  }
  if (parsed.errors.length > 0) {
    return err(
      parsed.errors.slice(0, MAX_PROBLEMS).map((e) => ({ ...place(e.pos[0]), path: "", text: `Not valid YAML: ${firstLine(e.message)}.` })),
    );
  }
  const problems: DocumentProblem[] = [];
  const walk: Walk = { yaml, parsed, place, problems, left: MAX_NODES };
  const tree = nodeOf(walk, parsed.contents, "", 0, { line: 1, column: 1 });
  return problems.length > 0 ? err(problems) : ok(tree);
}

type Walk = {
  readonly yaml: YamlLibrary;
  readonly parsed: ParsedYaml;
  readonly place: (offset: number) => Place;
  readonly problems: DocumentProblem[];
  left: number;
};

function nodeOf(walk: Walk, raw: unknown, path: string, depth: number, parent: Place): DocumentNode {
  const node = (raw ?? {}) as RawNode;
  const at = node.range ? walk.place(node.range[0]) : parent;
  const empty: DocumentNode = { is: "text", text: "", quoted: false, ...at };
  const complain = (text: string): DocumentNode => {
    if (walk.problems.length < MAX_PROBLEMS) walk.problems.push({ ...at, path, text });
    return empty;
  };
  if (walk.left < 0) return empty;
  walk.left -= 1;
  if (walk.left < 0) return complain(`The document has more than ${MAX_NODES} values once its aliases are followed.`);
  if (depth > MAX_DEPTH) return complain(`Nested deeper than ${MAX_DEPTH} levels.`);
  if (raw === null || raw === undefined) return empty;
  if (walk.yaml.isAlias(raw)) return nodeOf(walk, node.resolve?.(walk.parsed), path, depth + 1, at);
  if (node.tag !== undefined && !/^tag:yaml\.org,2002:(?:str|map|seq)$/.test(node.tag))
    return complain(`The tag ${node.tag.slice(0, 60)} is not read here.`);
  if (walk.yaml.isMap(raw)) return mapOf(walk, node, path, depth, at, complain);
  if (walk.yaml.isSeq(raw)) {
    return { is: "list", items: (node.items ?? []).map((item, i) => nodeOf(walk, item, `${path}[${i}]`, depth + 1, at)), ...at };
  }
  if (!walk.yaml.isScalar(raw) || typeof node.value !== "string") return complain("This kind of value is not read here.");
  const bad = forbiddenCharacter(node.value);
  if (bad) return complain(`The character ${bad.code} is not allowed in a value.`);
  return { is: "text", text: node.value, quoted: node.type !== "PLAIN", ...at };
}

function mapOf(walk: Walk, node: RawNode, path: string, depth: number, at: Place, complain: (text: string) => DocumentNode): DocumentNode {
  const entries: { key: string; at: Place; value: DocumentNode }[] = [];
  const seen = new Set<string>();
  for (const item of node.items ?? []) {
    const pair = item as { readonly key: unknown; readonly value: unknown };
    const key = nodeOf(walk, pair.key, path, depth + 1, at);
    if (key.is !== "text") return complain("A name must be plain text.");
    const keyAt = { line: key.line, column: key.column };
    const keyPath = path === "" ? key.text : `${path}.${key.text}`;
    if (seen.has(key.text)) walk.problems.push({ ...keyAt, path: keyPath, text: `"${key.text.slice(0, 60)}" stands here twice.` });
    seen.add(key.text);
    entries.push({ key: key.text, at: keyAt, value: nodeOf(walk, pair.value, keyPath, depth + 1, keyAt) });
  }
  return { is: "map", entries, ...at };
}

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 200).replace(/[.:\s]+$/, "");

function refuseText(text: string): DocumentProblem | null {
  const start = { line: 1, column: 1, path: "" };
  if (bytesOf(text) > MAX_DOCUMENT_BYTES) return { ...start, text: `Longer than ${MAX_DOCUMENT_BYTES / 1024} KiB.` };
  if (text.trim() === "") return { ...start, text: "The document is empty." };
  const bad = forbiddenCharacter(text);
  if (bad)
    return { ...placesOf(text)(bad.index), path: "", text: `The character ${bad.code} is not allowed. Save the file as UTF-8 text.` };
  const deep = tooDeep(text);
  return deep === null ? null : { ...placesOf(text)(deep), path: "", text: `Nested deeper than ${MAX_DEPTH} levels.` };
}

/** UTF-8 bytes, counted without an encoder. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) bytes += 1;
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes += 1;
  }
  return bytes;
}

/** Rough and before parsing, because the parser recurses: brackets left open, or list and map marks heaped on one line. */
function tooDeep(text: string): number | null {
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "[" || char === "{") open += 1;
    else if ((char === "]" || char === "}") && open > 0) open -= 1;
    if (open > 500) return i;
  }
  const heaped = /^(?:[ \t]*[-?:][ \t]+){100}/m.exec(text);
  return heaped ? heaped.index : null;
}

/** From an offset to its line and column. */
function placesOf(text: string): (offset: number) => Place {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
