/** `squeue` and `sinfo`: whole JSON lists that ignore every filter, as measured, or text by format letters. */
import { expandHosts, foldHosts } from "@/lib/simulator/world/hostlist";
import { ended, type JobState } from "@/lib/simulator/world/state";

import { frame, listBody, slurmJson, type ListName } from "./body";
import { failed, isDown, said, siteOf, UNREACHABLE, type Desk, type Output } from "./desk";
import type { NodeView } from "./node-view";
import { reasonWord } from "./json-v38";
import { dateText, durationText } from "./slurm-time";
import type { SiteView } from "./site-view";

export function runSqueue(desk: Desk, argv: readonly string[]): Output {
  const json = jsonAnswer(desk, argv, "jobs");
  if (json !== null) return json;
  if (isDown(desk)) return failed(`slurm_load_jobs error: ${UNREACHABLE}`);
  const site = siteOf(desk);
  const ids = option(argv, "j", "job")?.split(",") ?? option(argv, "j", "jobs")?.split(",");
  const nodes = expandHosts(option(argv, "w", "nodelist") ?? "");
  const users = option(argv, "u", "user")?.split(",");
  const states = option(argv, "t", "states")?.toUpperCase().split(",");
  const jobs = site.jobs.filter(
    (job) =>
      (states === undefined ? !ended(job) : states.includes("ALL") || states.includes(job.state)) &&
      (ids?.includes(String(job.id)) ?? true) &&
      (users?.includes(job.user) ?? true) &&
      (option(argv, "w", "nodelist") === undefined || job.nodes.some((n) => nodes?.includes(n))),
  );
  const format = option(argv, "o", "format") ?? "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
  const header: Record<string, string> = {
    i: "JOBID",
    P: "PARTITION",
    j: "NAME",
    u: "USER",
    t: "ST",
    T: "STATE",
    M: "TIME",
    D: "NODES",
    R: "NODELIST(REASON)",
    N: "NODELIST",
    r: "REASON",
    l: "TIME_LIMIT",
    v: "RESERVATION",
    e: "END_TIME",
  };
  const rows = jobs.map((job) => fill(format, jobFields(job, site)));
  return said([...(quiet(argv) ? [] : [fill(format, header)]), ...rows].map((row) => `${row}\n`).join(""));
}

export function runSinfo(desk: Desk, argv: readonly string[]): Output {
  if (argv.includes("--version") || argv.includes("-V")) return said(`slurm-wlm ${siteOf(desk).release}\n`);
  const json = jsonAnswer(desk, argv, "nodes");
  if (json !== null) return json;
  if (isDown(desk)) return failed(`slurm_load_partitions: ${UNREACHABLE}`);
  const site = siteOf(desk);
  const format = option(argv, "o", "format") ?? "%N %D %P %T";
  const header: Record<string, string> = {
    N: "NODELIST",
    n: "HOSTNAMES",
    D: "NODES",
    P: "PARTITION",
    T: "STATE",
    t: "STATE",
    E: "REASON",
    G: "GRES",
    f: "AVAIL_FEATURES",
    c: "CPUS",
    m: "MEMORY",
  };
  const only = expandHosts(option(argv, "n", "nodes") ?? "");
  const rows = site.nodes
    .filter((n) => option(argv, "n", "nodes") === undefined || only?.includes(n.node.name))
    .flatMap((n) => n.partitions.map((partition) => fill(format, nodeFields(n, partition, site))));
  return said([...(quiet(argv) ? [] : [fill(format, header)]), ...rows].map((row) => `${row}\n`).join(""));
}

/** A controller that does not answer is exit 0, `errors` filled and an empty list. */
function jsonAnswer(desk: Desk, argv: readonly string[], list: ListName): Output | null {
  if (!argv.some((word) => word === "--json" || word.startsWith("--json="))) return null;
  const site = siteOf(desk);
  const version = site.cluster.slurmVersions.includes("v0.0.40") ? "v0.0.40" : "v0.0.38";
  if (!isDown(desk)) return said(slurmJson(listBody(site, version, list)));
  return said(slurmJson(frame(site, version, { errors: [{ error: UNREACHABLE, errno: 1850 }], [list]: [] })));
}

function jobFields(job: JobState, site: SiteView): Record<string, string> {
  const reason = job.state === "PENDING" && job.pendingReason.text !== "" ? job.pendingReason.text : reasonWord(job);
  const short = {
    PENDING: "PD",
    RUNNING: "R",
    COMPLETING: "CG",
    COMPLETED: "CD",
    FAILED: "F",
    CANCELLED: "CA",
    TIMEOUT: "TO",
    NODE_FAIL: "NF",
  }[job.state];
  return {
    i: String(job.id),
    P: job.partition,
    j: job.name,
    u: job.user,
    t: short,
    T: job.state,
    M: durationText(job.startAt === null ? 0 : (job.endAt ?? site.now) - job.startAt),
    D: String(job.nodeCount),
    N: foldHosts(job.nodes),
    R: job.state === "PENDING" ? `(${reason})` : foldHosts(job.nodes),
    r: reason,
    l: durationText(job.limitS),
    v: job.reservation ?? "",
    e: dateText(job.endAt),
  };
}

function nodeFields(view: NodeView, partition: string, site: SiteView): Record<string, string> {
  const h = view.node.hardware;
  const [long, short] = sinfoState(view);
  const isDefault = site.cluster.partitions.find((p) => p.name === partition)?.default === true;
  const features = view.node.features.join(",");
  return {
    N: view.node.name,
    n: view.node.name,
    D: "1",
    P: partition + (isDefault ? "*" : ""),
    T: long,
    t: short,
    E: view.node.reason?.text ?? "none",
    G: `gpu:${h.gres}:${h.gpus}`,
    f: features,
    c: String(h.cpus),
    m: String(h.memoryMb),
  };
}

/** sinfo's own words: draining or drained by whether anything is there, one suffix. */
function sinfoState(view: NodeView): [string, string] {
  const has = (flag: string): boolean => view.flags.includes(flag);
  const busy = view.jobs.length > 0 || has("COMPLETING");
  const suffix = has("NOT_RESPONDING") ? "*" : has("REBOOT_ISSUED") ? "^" : has("REBOOT_REQUESTED") ? "@" : "";
  if (has("REBOOT_ISSUED")) return ["reboot^", "boot^"];
  if (has("DRAIN")) return busy ? [`draining${suffix}`, `drng${suffix}`] : [`drained${suffix}`, `drain${suffix}`];
  if (view.base === "DOWN") return [`down${suffix}`, `down${suffix}`];
  if (has("MAINTENANCE") && !busy) return ["maint", "maint"];
  if (has("COMPLETING")) return [`completing${suffix}`, `comp${suffix}`];
  return view.base === "ALLOCATED" ? [`allocated${suffix}`, `alloc${suffix}`] : [`idle${suffix}`, `idle${suffix}`];
}

const quiet = (argv: readonly string[]): boolean => argv.includes("-h") || argv.includes("--noheader");

function option(argv: readonly string[], short: string, long: string): string | undefined {
  const inline = argv.find((word) => word.startsWith(`--${long}=`));
  if (inline !== undefined) return inline.slice(long.length + 3);
  const at = argv.findIndex((word) => word === `-${short}` || word === `--${long}`);
  return at < 0 ? undefined : argv[at + 1];
}

/** `%i`, `%.18i`, `%18i`. */
function fill(format: string, fields: Record<string, string>): string {
  return format.replace(/%(\.?)(\d*)([A-Za-z])/g, (whole, dot: string, width: string, letter: string) => {
    const value = fields[letter];
    if (value === undefined) return whole;
    const cut = width === "" ? value : value.slice(0, Number(width));
    return dot === "" ? cut.padEnd(Number(width)) : cut.padStart(Number(width));
  });
}
