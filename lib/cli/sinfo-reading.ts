import { serviceOfSinfo } from "@/lib/adapters/slurm/wire";
import type { Reading } from "@/lib/core/check/reading";
import { splitLines } from "@/lib/parsers/input-limits";
import { addNoise, addProblem, addText, cut, newDraft, notThisFormat } from "@/lib/parsers/reading-draft";

/** `sinfo -N -l`: one row per node and partition, numbers cut to their columns. Only names and states are read, never a number, and no decision rests on it. */
export function readSinfo(text: string): Reading {
  const split = splitLines(text);
  if (!split.ok) return notThisFormat("slurm", split.error);
  const draft = newDraft("slurm");
  draft.notes.push("sinfo shows one suffix and may hide the base state: use scontrol for decisions");
  const header = split.value.lines.findIndex((line) => line.startsWith("NODELIST"));
  for (const line of split.value.lines.slice(0, header)) addNoise(draft, line);
  const states = new Map<string, string>();
  for (const line of split.value.lines.slice(header + 1)) {
    const row = /^(\S+)\s+\d+\s+(\S+)\s+(\S+)\s/.exec(line);
    const [, name, , state] = row ?? [];
    if (name === undefined || state === undefined) {
      cut(draft, `"${line.slice(0, 60)}" is no row`);
      continue;
    }
    const before = states.get(name);
    if (before !== undefined && before !== state) addProblem(draft, "sources_disagree", `${name} is ${before} and ${state}`, name);
    states.set(name, state);
  }
  if (!split.value.closed) cut(draft, "the last line is cut");
  for (const [name, state] of states) {
    addText(draft, "state", name, state);
    addText(draft, "service", name, serviceOfSinfo(state));
  }
  if (states.size === 0) addProblem(draft, "no_data", "no node is listed");
  return draft;
}
