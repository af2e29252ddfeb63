import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { ScheduledJob, ScheduledNode } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { gpusIn } from "./gres";
import { jobPhase } from "./job-state";
import { instantOf } from "./local-time";
import { expandNodes } from "./node-names";
import { serviceStateOf, stateWords } from "./node-state";

const MAX_TEXT = 64 * 1024 * 1024;
/** Placeholders of all releases for "nothing here". */
const NOTHING = new Set(["", "(null)", "None", "N/A", "n/a", "n/s", "Unknown"]);

/** Nodes of `scontrol show node`. Keys cannot be split at blanks: OS and Reason hold blanks, and a Reason may hold text that looks like a key. */
export function showNodes(text: string, timeZone: string | null): Result<readonly ScheduledNode[], SourceError> {
  const missing = /^Node (\S+) not found/m.exec(text);
  if (missing) return err({ code: "not_found", because: `the scheduler knows no node ${missing[1]}` });
  const records = recordsOf(text, "NodeName=");
  if (!records.ok) return records;
  const nodes: ScheduledNode[] = [];
  for (const record of records.value) {
    const node = toNode(record, timeZone);
    if (!node.ok) return node;
    if (nodes.some((other) => other.name === node.value.name)) return unreadable(`node ${node.value.name} is listed twice`);
    nodes.push(node.value);
  }
  return nodes.length === 0 ? unreadable("it lists no node at all") : ok(nodes);
}

/** Jobs of `scontrol show job`. A job's name may hold anything: where a key we need appears twice, the record is refused rather than guessed. */
export function showJobs(text: string, timeZone: string | null): Result<readonly ScheduledJob[], SourceError> {
  if (/^No jobs in the system/m.test(text)) return ok([]);
  const unknown = /Invalid job id specified/i.exec(text);
  if (unknown) return err({ code: "not_found", because: "the scheduler knows no job of that id" });
  const records = recordsOf(text, "JobId=");
  if (!records.ok) return records;
  const jobs: ScheduledJob[] = [];
  for (const record of records.value) {
    const job = toJob(record, timeZone);
    if (!job.ok) return job;
    jobs.push(job.value);
  }
  return ok(jobs);
}

/** One text per record. Blocks end with an empty line and -o lines with a newline: where that is missing the text was cut. */
function recordsOf(text: string, firstKey: string): Result<readonly string[], SourceError> {
  if (text.length > MAX_TEXT) return unreadable(`it is longer than ${MAX_TEXT} characters`);
  const starts = [...text.matchAll(new RegExp(`^${firstKey}`, "gm"))].map((match) => match.index);
  const first = starts[0];
  if (first === undefined) return unreadable(`it has no line that begins with ${firstKey}`);
  if (text.slice(0, first).trim() !== "") return unreadable(`it begins with "${text.trim().slice(0, 80)}"`);
  const records = starts.map((start, index) => text.slice(start, starts[index + 1] ?? text.length));
  const last = records.at(-1) ?? "";
  const block = last.trimEnd().includes("\n");
  if (block ? !/\n\r?\n$/.test(last) : !last.endsWith("\n")) {
    const name = last.slice(firstKey.length).split(/\s/, 1)[0];
    return err({ code: "partial", because: `scheduler text is cut inside ${firstKey}${name ?? ""}` });
  }
  return ok(records);
}

function toNode(record: string, timeZone: string | null): Result<ScheduledNode, SourceError> {
  const [head, reason] = splitReason(record);
  const name = /^NodeName=(\S+)/.exec(head)?.[1];
  const state = /\sState=(\S+) ThreadsPerCore=/.exec(head)?.[1];
  const allocated = keyed(head, "CPUAlloc");
  if (name === undefined || state === undefined || allocated === null || !/^\d+$/.test(allocated))
    return unreadable(`node ${name ?? "?"} has no NodeName, State or CPUAlloc`);
  const words = stateWords([state]);
  const after = /\[([^\s\[\]@]*)@([^\]\s]+)\]\s*$/.exec(reason);
  const rest = after ? record.slice(record.indexOf(reason) + reason.length) : "";
  return ok({
    name,
    state: serviceStateOf(words, Number(allocated)),
    words,
    reason: presentOf(
      reason
        .slice(0, after?.index ?? reason.length)
        .replace(/\s*\n\s*/g, "\n")
        .trim(),
    ),
    reasonBy: after?.[1] ?? null,
    reasonAt: instantOf(after?.[2] ?? "", timeZone),
    bootedAt: instantOf(keyed(head, "BootTime") ?? "", timeZone),
    gpus: gpusIn(keyed(head, "Gres")),
    partitions: wordsOf(keyed(head, "Partitions")),
    features: wordsOf(keyed(head, "AvailableFeatures")),
    allocatedCpus: Number(allocated),
    responding: !words.includes("NOT_RESPONDING"),
    reservation: presentOf(keyed(`${head}\n${rest}`, "ReservationName") ?? ""),
    raw: record,
  });
}

/** Everything but the reason, and the reason with its "[user@time]". In blocks it goes on over deeper indented lines. */
function splitReason(record: string): readonly [head: string, reason: string] {
  const block = /\n {3}Reason=((?:.*)(?:\n {4,}.*)*)/.exec(record);
  if (block) return [record.slice(0, block.index), block[1] ?? ""];
  const line = / Reason=/.exec(record);
  if (!line) return [record, ""];
  const rest = record.slice(line.index + line[0].length);
  const ends =
    /\[[^\s\[\]@]*@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\](?=\s*$| (?:Comment|Extra|ReservationName|InstanceId|InstanceType|Topology|GresDrain|GresUsed)=)/.exec(
      rest,
    );
  return [record.slice(0, line.index), ends ? rest.slice(0, ends.index + ends[0].length) : rest.trimEnd()];
}

const NEEDED = ["JobState", "NodeList", "TimeLimit", "StartTime", "EndTime", "ExitCode", "Restarts", "UserId"] as const;

function toJob(record: string, timeZone: string | null): Result<ScheduledJob, SourceError> {
  const id = /^JobId=(\d+)/.exec(record)?.[1];
  if (id === undefined) return unreadable("a job has no id");
  const twice = NEEDED.find((key) => (record.match(new RegExp(`\\s${key}=`, "g")) ?? []).length > 1);
  if (twice) return unreadable(`job ${id}: ${twice}= appears more than once, so the record cannot be told from its name or comment`);
  const state = keyed(record, "JobState");
  const list = keyed(record, "NodeList");
  if (state === null || list === null) return unreadable(`job ${id} has no JobState or NodeList`);
  const nodes = expandNodes(list);
  if (!nodes.ok) return unreadable(`job ${id}: nodes: ${nodes.error}`);
  const phase = jobPhase(state.toUpperCase().split("+"));
  const exit = /^(\d+):(\d+)$/.exec(keyed(record, "ExitCode") ?? "");
  const end = instantOf(keyed(record, "EndTime") ?? "", timeZone);
  const signal = exit ? Number(exit[2]) : 0;
  return ok({
    id,
    name: nameIn(record),
    user: (keyed(record, "UserId") ?? "").replace(/\(\d+\)$/, ""),
    phase,
    state,
    nodes: nodes.value,
    startedAt: phase === "waiting" ? null : instantOf(keyed(record, "StartTime") ?? "", timeZone),
    endsAt: phase === "ended" ? null : keyed(record, "TimeLimit") === "UNLIMITED" ? "no_limit" : phase === "active" ? end : null,
    endedAt: phase === "ended" ? end : null,
    exitCode: phase === "ended" && exit ? Number(exit[1]) : null,
    signal: phase === "ended" && signal !== 0 ? signal : null,
    requeues: Number(/^\d+$/.exec(keyed(record, "Restarts") ?? "")?.[0] ?? 0),
    raw: record,
  });
}

/** A name may hold blanks; it ends where UserId begins. */
function nameIn(record: string): string {
  const from = record.indexOf("JobName=");
  const to = record.indexOf("UserId=", from);
  return from < 0 || to < 0 ? "" : record.slice(from + "JobName=".length, to).trim();
}

/** The value of a key that stands after white space, up to the next blank; "" is a value, null is no such key. */
const keyed = (text: string, key: string): string | null => new RegExp(`(?:^|\\s)${key}=(\\S*)`).exec(text)?.[1] ?? null;
const presentOf = (text: string): string | null => (NOTHING.has(text) ? null : text);
const wordsOf = (text: string | null): string[] =>
  text === null || NOTHING.has(text) ? [] : text.split(",").filter((word) => word !== "");
const unreadable = (because: string) => err({ code: "unreadable" as const, because: `scheduler text not understood: ${because}` });
