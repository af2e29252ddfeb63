import { z } from "zod";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { ServiceState } from "@/lib/core/node/service";
import type { ScheduledJob, ScheduledNode } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { jobPhase } from "./job-state";
import { gpusIn } from "./gres";
import { expandNodes } from "./node-names";
import { serviceStateOf, stateWords } from "./node-state";
import { showJobs, showNodes } from "./show-text";
import { readDocument } from "./wire-document";

/** A number in any release's form: 5, null, {set, infinite, number}. "infinite" is not a number, and 4294967294/5 are Slurm's "no value" and "infinite". */
const VendorNumber = z.union([
  z.number(),
  z.null(),
  z.looseObject({ set: z.boolean(), infinite: z.boolean().optional(), number: z.number() }),
]);
type VendorNumber = z.infer<typeof VendorNumber>;
const Words = z.union([z.string(), z.array(z.string())]);
const VendorNode = z.looseObject({
  name: z.string().min(1).max(253),
  state: Words,
  state_flags: z.array(z.string()).optional(),
  reason: z.string().nullish(),
  reason_set_by_user: z.string().nullish(),
  reason_changed_at: VendorNumber.optional(),
  boot_time: VendorNumber.optional(),
  gres: z.string().nullish(),
  partitions: z.array(z.string()).nullish(),
  features: Words.nullish(),
  alloc_cpus: VendorNumber,
  reservation: z.string().nullish(),
});
/** From v0.0.40: {return_code: 3, signal: {id: 9}}. */
const VendorExit = z.looseObject({
  return_code: VendorNumber,
  signal: z.looseObject({ id: VendorNumber.optional(), signal_id: VendorNumber.optional() }).nullish(),
});
const VendorJob = z.looseObject({
  job_id: z.number().int().nonnegative(),
  name: z.string().nullish(),
  user_name: z.string().nullish(),
  job_state: Words,
  nodes: z.string().nullish(),
  time_limit: VendorNumber.optional(),
  start_time: VendorNumber.optional(),
  end_time: VendorNumber.optional(),
  exit_code: z.unknown().optional(),
  restart_cnt: VendorNumber.optional(),
});
type VendorJob = z.infer<typeof VendorJob>;

type Nodes = { readonly nodes: readonly ScheduledNode[]; readonly version: string; readonly warnings: readonly string[] };
type Jobs = { readonly jobs: readonly ScheduledJob[]; readonly version: string; readonly warnings: readonly string[] };

/**
 * Node records of `scontrol show nodes --json`, `sinfo --json` (up to 22.05) or slurmrestd `nodes` and `node/{name}`, data_parser v0.0.36 to v0.0.45, chosen
 * from `meta`; `askedVersion` ("v0.0.38") stands in where the answer carries none. errors[] beats whatever list stands beside it, and a list without any
 * node is no answer: a cluster has nodes.
 */
export function readNodes(bytes: Uint8Array, askedVersion?: string): Result<Nodes, SourceError> {
  const document = readDocument(bytes, "nodes", askedVersion);
  if (!document.ok) return document;
  const nodes: ScheduledNode[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of document.value.entries.entries()) {
    const node = VendorNode.safeParse(entry);
    if (!node.success) return unreadable(`nodes[${index}]: ${firstIssue(node.error)}`);
    const allocatedCpus = numberOf(node.data.alloc_cpus);
    if (allocatedCpus === null) return unreadable(`nodes[${index}] (${node.data.name}): alloc_cpus has no value`);
    if (seen.has(node.data.name)) return unreadable(`node ${node.data.name} is listed twice`);
    seen.add(node.data.name);
    const words = stateWords([...listOf(node.data.state), ...(node.data.state_flags ?? [])]);
    nodes.push({
      name: node.data.name,
      state: serviceStateOf(words, allocatedCpus),
      words,
      reason: textOf(node.data.reason),
      reasonBy: textOf(node.data.reason_set_by_user),
      reasonAt: timeOf(node.data.reason_changed_at),
      bootedAt: timeOf(node.data.boot_time),
      gpus: gpusIn(node.data.gres),
      partitions: node.data.partitions ?? [],
      features: listOf(node.data.features).flatMap((text) => text.split(",").filter((word) => word !== "")),
      allocatedCpus,
      responding: !words.includes("NOT_RESPONDING"),
      reservation: textOf(node.data.reservation),
      raw: JSON.stringify(entry),
    });
  }
  if (nodes.length === 0) return unreadable("the scheduler's answer lists no node at all");
  return ok({ nodes, version: document.value.version, warnings: document.value.warnings });
}

/** Jobs of `squeue --json`, `scontrol show jobs --json` or slurmrestd `jobs` and `job/{id}`: every job in memory, finished ones included; callers filter by phase. */
export function readJobs(bytes: Uint8Array, askedVersion?: string): Result<Jobs, SourceError> {
  const document = readDocument(bytes, "jobs", askedVersion);
  if (!document.ok) return document;
  const jobs: ScheduledJob[] = [];
  for (const [index, entry] of document.value.entries.entries()) {
    const job = VendorJob.safeParse(entry);
    if (!job.success) return unreadable(`jobs[${index}]: ${firstIssue(job.error)}`);
    const nodes = expandNodes(job.data.nodes ?? "");
    if (!nodes.ok) return unreadable(`job ${job.data.job_id}: nodes: ${nodes.error}`);
    jobs.push(toJob(job.data, nodes.value, JSON.stringify(entry)));
  }
  return ok({ jobs, version: document.value.version, warnings: document.value.warnings });
}

/**
 * Text of `scontrol show node`, 20.11 and newer, in blocks or with -o. `timeZone`: the zone the program ran in, null where nobody knows, then no time is
 * told. "Node NAME not found" is `not_found`; a text that stops inside a record is `partial`.
 */
export function readNodesText(text: string, timeZone: string | null = "UTC"): Result<Nodes, SourceError> {
  const nodes = showNodes(text, timeZone);
  return nodes.ok ? ok({ nodes: nodes.value, version: "text", warnings: [] }) : nodes;
}

/** Text of `scontrol show job`, in blocks or with -o; "No jobs in the system" is an empty list. */
export function readJobText(text: string, timeZone: string | null = "UTC"): Result<Jobs, SourceError> {
  const jobs = showJobs(text, timeZone);
  return jobs.ok ? ok({ jobs: jobs.value, version: "text", warnings: [] }) : jobs;
}

/** One state as sinfo prints it ("drng*", "idle~"); it does not say how many CPUs are allocated, so its own word is all there is. */
export const serviceOfSinfo = (state: string): ServiceState =>
  serviceStateOf(stateWords([SINFO_WORDS[state.replace(/[^a-z]+$/, "")] ?? state]), 0);
/** Short forms of sinfo. */
const SINFO_WORDS: Readonly<Record<string, string>> = {
  boot: "REBOOT",
  drng: "DRAINING",
  drain: "DRAINED",
  plnd: "IDLE",
  maint: "IDLE+MAINTENANCE",
};

function toJob(job: VendorJob, nodes: readonly string[], raw: string): ScheduledJob {
  const words = listOf(job.job_state).flatMap((text) => text.toUpperCase().split("+"));
  const phase = jobPhase(words);
  const end = timeOf(job.end_time);
  const exit = exitOf(job.exit_code);
  return {
    id: String(job.job_id),
    name: job.name ?? "",
    user: job.user_name ?? "",
    phase,
    state: words.join("+"),
    nodes,
    startedAt: phase === "waiting" ? null : timeOf(job.start_time),
    endsAt: phase === "ended" ? null : isInfinite(job.time_limit) ? "no_limit" : phase === "active" ? end : null,
    endedAt: phase === "ended" ? end : null,
    exitCode: phase === "ended" ? exit.code : null,
    signal: phase === "ended" ? exit.signal : null,
    requeues: numberOf(job.restart_cnt) ?? 0,
    raw,
  };
}

/** Up to v0.0.39 a wait status (768 is exit 3, 9 is signal 9); from v0.0.40 an object. */
function exitOf(written: VendorJob["exit_code"]): { code: number | null; signal: number | null } {
  const whole = VendorExit.safeParse(written);
  if (whole.success) {
    const { return_code: code, signal: by } = whole.data;
    const signal = by ? numberOf(by.id ?? by.signal_id) : null;
    return { code: numberOf(code), signal: signal === 0 ? null : signal };
  }
  const number = VendorNumber.safeParse(written);
  const status = number.success ? numberOf(number.data) : null;
  if (status === null) return { code: null, signal: null };
  return status % 128 === 0 ? { code: status >> 8, signal: null } : { code: status >> 8, signal: status & 127 };
}

function numberOf(written: VendorNumber | undefined): number | null {
  if (written === undefined || written === null) return null;
  const value = typeof written === "number" ? written : written.set && !written.infinite ? written.number : null;
  return value === null || value === 4294967294 || value === 4294967295 || value < 0 ? null : value;
}

/** A limit of null (up to v0.0.38) is how these releases write "unlimited": read as 0 minutes it would make the job look finished. */
function isInfinite(written: VendorNumber | undefined): boolean {
  if (written === null || written === 4294967295) return true;
  return typeof written === "object" && written.infinite === true;
}

function timeOf(written: VendorNumber | undefined): Date | null {
  const seconds = numberOf(written);
  return seconds === null || seconds === 0 || seconds > 8.64e12 ? null : new Date(seconds * 1000);
}

const listOf = (written: string | readonly string[] | null | undefined): readonly string[] =>
  written === null || written === undefined ? [] : typeof written === "string" ? [written] : written;
const textOf = (written: string | null | undefined): string | null => (written ? written : null);
const unreadable = (because: string) => err({ code: "unreadable" as const, because: `scheduler answer not understood: ${because}` });
const firstIssue = (error: z.ZodError): string => {
  const issue = error.issues[0];
  return issue ? `${issue.path.join(".") || "entry"}: ${issue.message}` : "wrong shape";
};
