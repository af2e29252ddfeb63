import type { Half, Placement, Row } from "./nccl-table";

/** What the header promises: the columns before the two halves, the columns of one half, and where their first columns end. */
export type Header = {
  readonly lead: readonly string[];
  readonly half: readonly string[];
  readonly ends: readonly number[];
  readonly timing: "gpu" | "cpu";
};

const STAMP = /\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** `#  size  count  type  redop [root]  time algbw busbw #wrong  time ...`, of any era. null: not a header. */
export function readHeader(line: string): Header | null {
  if (!/^#\s+size\s+count\s+type\b/.test(line)) return null;
  const words = [...line.slice(1).matchAll(/\S+/g)].map((match) => ({ word: match[0], end: match.index + 1 + match[0].length }));
  const starts = words.flatMap(({ word }, at) => (word === "time" || word === "cputime" ? [at] : []));
  const [first, second] = starts;
  if (first === undefined || second === undefined || starts.length !== 2) return null;
  const half = words.slice(first, second).map(({ word }) => word);
  const known = half[1] === "algbw" && half[2] === "busbw" && (half[3] === "#wrong" || half[3] === "error");
  if (!known) return null;
  return {
    lead: words.slice(0, first).map(({ word }) => word),
    half,
    ends: starts.map((at) => words[at]?.end ?? 0),
    timing: half[0] === "cputime" ? "cpu" : "gpu",
  };
}

/** A row by the header's columns; a line that does not fit them is an error with its reason, never a skipped row. */
export function readRow(line: string, header: Header): Row | string {
  const bare = line.replace(STAMP, "");
  const words = [...bare.matchAll(/\S+/g)].map((match) => ({ word: match[0], end: match.index + match[0].length }));
  const rest = words.slice(header.lead.length);
  const placements = placementsOf(rest, header);
  if (placements === null) return `has ${words.length} columns where the header has ${header.lead.length + 2 * header.half.length}`;
  const lead = (name: string) => words[header.lead.indexOf(name)]?.word ?? "";
  const size = lead("size");
  if (!/^\d{1,15}$/.test(size)) return `has no size`;
  const halves: Half[] = [];
  for (const [index, placement] of placements.entries()) {
    const half = readHalf(
      rest.slice(index * header.half.length).map(({ word }) => word),
      header,
      placement,
    );
    if (typeof half === "string") return half;
    halves.push(half);
  }
  return { size: Number(size), type: lead("type"), redop: lead("redop"), halves };
}

/** With one half left blank, which one it is shows only in its position: columns are aligned on their right. */
function placementsOf(rest: readonly { readonly end: number }[], header: Header): readonly Placement[] | null {
  if (rest.length === 2 * header.half.length) return ["out-of-place", "in-place"];
  const end = rest[0]?.end;
  const [out, inside] = header.ends;
  if (rest.length !== header.half.length || end === undefined || out === undefined || inside === undefined) return null;
  return [Math.abs(end - out) <= Math.abs(end - inside) ? "out-of-place" : "in-place"];
}

function readHalf(words: readonly string[], header: Header, placement: Placement): Half | string {
  const numbers = header.half.map((_, at) => numberOf(words[at] ?? ""));
  const [time, algbw, busbw] = numbers;
  if (time === undefined || algbw === undefined || busbw === undefined || [time, algbw, busbw].some((value) => value === null))
    return `holds "${words.slice(0, 3).join(" ").slice(0, 60)}" where three numbers stand`;
  const last = words[3] ?? "";
  const wrong = header.half[3] === "error" ? (last === "N/A" ? null : "deviation") : last === "N/A" ? null : numberOf(last);
  if (wrong === null && last !== "N/A") return `holds "${last.slice(0, 40)}" where the count of wrong values stands`;
  return { placement, time: time ?? NaN, algbw: algbw ?? NaN, busbw: busbw ?? NaN, wrong };
}

/** null: not a number at all. "nan" and "inf" are printed by the tool and stay what they are. */
function numberOf(word: string): number | null {
  if (/^[+-]?nan$/i.test(word)) return NaN;
  if (/^[+-]?inf(inity)?$/i.test(word)) return Infinity;
  return NUMBER.test(word) ? Number(word) : null;
}
