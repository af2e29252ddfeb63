import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SchedulerTopology } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { expandNodes } from "./node-names";

/** As long as a node's name may be; what is longer was glued together. */
const MAX_NAME = 253;

type Leaves = SchedulerTopology["leaves"];

/** Leaves in `scontrol show topology` (tree plugin): the switches of level 0. Null when the scheduler has no topology. */
export function readTopologyText(text: string): Result<Leaves | null, SourceError> {
  const lines = text.split("\n").map((line) => line.trim());
  const switches = lines.filter((line) => line.startsWith("SwitchName="));
  if (switches.length === 0) return withoutSwitches(text, lines);
  const leaves: { leaf: string; nodes: readonly string[] }[] = [];
  for (const line of switches) {
    const leaf = /^SwitchName=(\S+)/.exec(line)?.[1];
    const level = /\sLevel=(\d+)/.exec(line)?.[1];
    if (leaf === undefined || leaf.length > MAX_NAME || level === undefined) return unreadable(line);
    if (level !== "0") continue;
    const nodes = expandNodes(/\sNodes=(\S*)/.exec(line)?.[1] ?? "");
    if (!nodes.ok) return unreadable(line);
    leaves.push({ leaf, nodes: nodes.value });
  }
  return leaves.length === 0 ? unreadable(switches[0] ?? "") : ok(leaves);
}

function withoutSwitches(text: string, lines: readonly string[]): Result<null, SourceError> {
  if (lines.some((line) => line.startsWith("BlockName="))) {
    const because =
      "The scheduler's topology is made of blocks, which say nothing of leaf switches. Name the leaves in the configuration (topology.leaves).";
    return err({ code: "unsupported_version", because });
  }
  if (text.trim() === "" || /no topology/i.test(text)) return ok(null);
  return unreadable(lines[0] ?? "");
}

function unreadable(line: string): Result<never, SourceError> {
  return err({ code: "unreadable", because: `scontrol show topology was not understood at ${JSON.stringify(line.slice(0, 200))}.` });
}
