import { readJobs, readJobText, readNodes, readNodesText } from "@/lib/adapters/slurm/wire";
import type { Reading } from "@/lib/core/check/reading";
import { decodeText } from "@/lib/parsers/input-limits";
import { parseJson } from "@/lib/parsers/json-text";
import { addNumber, addProblem, addText, newDraft, notThisFormat } from "@/lib/parsers/reading-draft";
import type { ScheduledJob, ScheduledNode } from "@/lib/ports/scheduler";
import { readSinfo } from "./sinfo-reading";
import { readingOfError } from "./source-reading";

/** The scheduler's nodes or jobs, JSON or text, as named values: "gpu001.state", "7101.state", "gpu001.busy". */
export function slurmReading(bytes: Uint8Array): Reading {
  const text = decodeText(bytes);
  if (!text.ok) return notThisFormat("slurm", text.error);
  if (/^\s*\{/.test(text.value)) {
    const json = parseJson(text.value);
    const isJobs = json.ok && typeof json.value === "object" && json.value !== null && "jobs" in json.value && !("nodes" in json.value);
    return isJobs ? ofJobs(readJobs(bytes)) : ofNodes(readNodes(bytes));
  }
  if (/^NODELIST\s/m.test(text.value)) return readSinfo(text.value);
  // Nobody says in which zone the program ran: an offline reading tells no times.
  return /^JobId=|^No jobs in the system/m.test(text.value)
    ? ofJobs(readJobText(text.value, null))
    : ofNodes(readNodesText(text.value, null));
}

function ofNodes(read: ReturnType<typeof readNodes>): Reading {
  if (!read.ok) return readingOfError("slurm", read.error);
  const draft = newDraft("slurm");
  draft.versions["data_parser"] = read.value.version;
  for (const warning of read.value.warnings) addProblem(draft, "warned", `the scheduler warns: ${warning}`);
  for (const node of read.value.nodes) {
    addText(draft, "state", node.name, stateWord(node));
    addText(draft, "words", node.name, node.words.join("+"));
    addText(draft, "responding", node.name, node.responding ? "yes" : "no");
    addNumber(draft, "allocated_cpus", node.name, node.allocatedCpus, { text: String(node.allocatedCpus), unit: "" });
    if (node.gpus !== null) addNumber(draft, "configured_gpus", node.name, node.gpus, { text: String(node.gpus), unit: "" });
    if (node.reason !== null) addText(draft, "reason", node.name, node.reason);
    if (node.reservation !== null) addText(draft, "reservation", node.name, node.reservation);
    if (node.bootedAt !== null) addText(draft, "booted_at", node.name, node.bootedAt.toISOString());
  }
  return draft;
}

function ofJobs(read: ReturnType<typeof readJobs>): Reading {
  if (!read.ok) return readingOfError("slurm", read.error);
  const draft = newDraft("slurm");
  draft.versions["data_parser"] = read.value.version;
  for (const warning of read.value.warnings) addProblem(draft, "warned", `the scheduler warns: ${warning}`);
  if (read.value.jobs.length === 0) addProblem(draft, "no_data", "the answer lists no job");
  for (const job of read.value.jobs) {
    addText(draft, "state", job.id, job.state);
    addText(draft, "phase", job.id, job.phase);
    addText(draft, "nodes", job.id, job.nodes.slice(0, 64).join(","));
    addText(draft, "ends_at", job.id, endOf(job));
    addNumber(draft, "requeues", job.id, job.requeues, { text: String(job.requeues), unit: "" });
    if (job.exitCode !== null) addNumber(draft, "exit_code", job.id, job.exitCode, { text: String(job.exitCode), unit: "" });
  }
  const busy = new Set(read.value.jobs.filter((job) => job.phase === "active").flatMap((job) => job.nodes));
  for (const node of busy) addText(draft, "busy", node, "yes");
  return draft;
}

const endOf = (job: ScheduledJob): string => (job.endsAt === "no_limit" ? "no_limit" : (job.endsAt?.toISOString() ?? "unknown"));

/** The word by which the scheduler's own tools and the inventory name a state. */
function stateWord(node: ScheduledNode): string {
  if (node.state === "powered_down") return "powered-down";
  if (node.state !== "in_service") return node.state;
  return (node.words.find((word) => word === "IDLE" || word === "MIXED" || word === "ALLOCATED") ?? "unknown").toLowerCase();
}
