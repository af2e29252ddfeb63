/** What `scontrol show …` prints: every record as its lines, joined to one with `-o`. Fields and order as Slurm 22.05 has them. */
import { expandHosts, foldHosts } from "@/lib/simulator/world/hostlist";
import type { JobState, Reservation } from "@/lib/simulator/world/state";

import { reasonWord } from "./json-v38";
import type { NodeView } from "./node-view";
import type { SiteView } from "./site-view";
import { dateText, durationText } from "./slurm-time";

/** One record: `-o` gives one line, otherwise indented lines and an empty one. */
export function recordText(lines: readonly string[], oneLine: boolean): string {
  return oneLine ? `${lines.join(" ")}\n` : `${lines.join("\n   ")}\n\n`;
}

export function nodeLines(view: NodeView, site: SiteView): string[] {
  const { node } = view;
  const h = node.hardware;
  const running = view.jobs.some((job) => job.state === "RUNNING");
  const allocated = running ? h.cpus : 0;
  const features = node.features.join(",") || "(null)";
  const memory = Math.round(h.memoryMb / 1024);
  const none = (text: string): string => (text === "Unknown" ? "None" : text);
  const boot = view.responding || !node.power.on ? none(dateText(node.bootedAt)) : "None";
  const next = node.rebootOrder?.nextState ? ` NextState=${node.rebootOrder.nextState}` : "";
  const reason = node.reason === null ? [] : [`Reason=${node.reason.text} [${node.reason.user}@${dateText(node.reason.at)}]`];
  const reservation = view.reservation === null ? [] : [`ReservationName=${view.reservation}`];
  return [
    `NodeName=${node.name} Arch=x86_64 CoresPerSocket=${h.cpus / 2} `,
    `CPUAlloc=${allocated} CPUEfctv=${h.cpus} CPUTot=${h.cpus} CPULoad=${running ? (h.cpus * 0.9).toFixed(2) : "0.26"}`,
    `AvailableFeatures=${features}`,
    `ActiveFeatures=${features}`,
    `Gres=gpu:${h.gres}:${h.gpus}`,
    `NodeAddr=${node.name} NodeHostName=${node.name} Version=${site.release}`,
    `OS=Linux ${node.versions.kernel.running} #1 SMP `,
    `RealMemory=${h.memoryMb} AllocMem=${running ? Math.floor(h.memoryMb * 0.9) : 0} FreeMem=${Math.floor(h.memoryMb * (running ? 0.2 : 0.97))} Sockets=2 Boards=1`,
    `State=${[view.base, ...view.flags].join("+")} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A${next}`,
    `Partitions=${view.partitions.join(",")} `,
    `BootTime=${boot} SlurmdStartTime=${none(dateText(node.slurmdStartedAt))}`,
    `LastBusyTime=${dateText(node.lastBusyAt)}${site.release.startsWith("22.") ? "" : " ResumeAfterTime=None"}`,
    `CfgTRES=cpu=${h.cpus},mem=${memory}G,billing=${h.cpus}`,
    `AllocTRES=${running ? `cpu=${h.cpus},mem=${memory}G` : ""}`,
    "CapWatts=n/a",
    "CurrentWatts=0 AveWatts=0",
    "ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s",
    ...reason,
    ...(site.release.startsWith("22.") ? [] : reservation),
  ];
}

export function jobLines(job: JobState, site: SiteView): string[] {
  const or = (text: string, empty: string): string => (text === "" ? empty : text);
  const reason = (job.state === "PENDING" && job.pendingReason.text !== "" ? job.pendingReason.text : reasonWord(job)).replaceAll(" ", "_");
  const runS = job.startAt === null ? 0 : (job.endAt ?? site.now) - job.startAt;
  const end = job.endAt ?? (job.startAt !== null && job.limitS !== null ? job.startAt + job.limitS : null);
  const output = job.output.replaceAll("%j", String(job.id)) || `${job.workDir}/slurm-${job.id}.out`;
  const cpus = job.nodeCount * (site.nodes[0]?.node.hardware.cpus ?? 1);
  return [
    `JobId=${job.id} JobName=${job.name}`,
    `UserId=${job.user}(${job.user === "root" ? 0 : 10_000}) GroupId=${job.user}(${job.user === "root" ? 0 : 10_000}) MCS_label=N/A`,
    `Priority=4294901759 Nice=0 Account=${or(job.account, "(null)")} QOS=(null)`,
    `JobState=${job.state} Reason=${reason} Dependency=(null)`,
    `Requeue=1 Restarts=${job.restarts} BatchFlag=1 Reboot=0 ExitCode=${job.exitCode}:${job.signal}`,
    `RunTime=${durationText(runS)} TimeLimit=${durationText(job.limitS)} TimeMin=N/A`,
    `SubmitTime=${dateText(job.submitAt)} EligibleTime=${dateText(job.eligibleAt)}`,
    `AccrueTime=${dateText(job.submitAt)}`,
    `StartTime=${dateText(job.startAt)} EndTime=${dateText(end)} Deadline=N/A`,
    `SuspendTime=None SecsPreSuspend=0 LastSchedEval=${dateText(site.now)} Scheduler=Main`,
    `Partition=${job.partition} AllocNode:Sid=head:4711`,
    `ReqNodeList=${or(foldHosts(job.required), "(null)")} ExcNodeList=(null)`,
    `NodeList=${foldHosts(job.nodes)}`,
    ...(job.nodes.length === 0 ? [] : [`BatchHost=${job.nodes[0]}`]),
    `NumNodes=${job.nodeCount} NumCPUs=${cpus} NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*`,
    `TRES=cpu=${cpus},node=${job.nodeCount},billing=${cpus}`,
    "Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*",
    "MinCPUsNode=1 MinMemoryCPU=1000M MinTmpDiskNode=0",
    "Features=(null) DelayBoot=00:00:00",
    ...(job.reservation === null ? [] : [`Reservation=${job.reservation}`]),
    "OverSubscribe=NO Contiguous=0 Licenses=(null) Network=(null)",
    `Command=${or(job.command, "(null)")}`,
    `WorkDir=${job.workDir}`,
    `StdErr=${output}`,
    "StdIn=/dev/null",
    `StdOut=${output}`,
    "Power=",
    ...(job.gres === "" ? [] : [`TresPerNode=gres:${job.gres} `]),
  ];
}

export function reservationLines(reservation: Reservation, site: SiteView): string[] {
  const cores = site.nodes.filter((n) => reservation.nodes.includes(n.node.name)).reduce((sum, n) => sum + n.node.hardware.cpus, 0);
  const or = (list: readonly string[]): string => (list.length === 0 ? "(null)" : list.join(","));
  const state = reservation.startAt <= site.now ? "ACTIVE" : "INACTIVE";
  return [
    `ReservationName=${reservation.name} StartTime=${dateText(reservation.startAt)} EndTime=${dateText(reservation.endAt)} Duration=${durationText(reservation.endAt - reservation.startAt)}`,
    `Nodes=${foldHosts(reservation.nodes)} NodeCnt=${reservation.nodes.length} CoreCnt=${cores} Features=(null) PartitionName=(null) Flags=${[...reservation.flags, "SPEC_NODES"].join(",")}`,
    `TRES=cpu=${cores}`,
    `Users=${or(reservation.users)} Groups=(null) Accounts=${or(reservation.accounts)} Licenses=(null) State=${state} BurstBuffer=(null) Watts=n/a`,
    "MaxStartDelay=(null)",
  ];
}

/** null: the topology names no such switch or node. */
export function topologyText(site: SiteView, only?: string): string | null {
  const leaves = site.cluster.leaves.map((leaf) => ({ name: leaf.name, nodes: expandHosts(leaf.nodes) ?? [] }));
  const spine = { name: "spine01", nodes: leaves.flatMap((leaf) => leaf.nodes) };
  const lines = leaves.map((leaf) => ({ ...leaf, text: `SwitchName=${leaf.name} Level=0 LinkSpeed=1 Nodes=${foldHosts(leaf.nodes)}` }));
  const top = `SwitchName=${spine.name} Level=1 LinkSpeed=1 Nodes=${foldHosts(spine.nodes)} Switches=${foldHosts(leaves.map((l) => l.name))}`;
  const all = leaves.length === 0 ? [] : [...lines, { ...spine, text: top }];
  const shown = only === undefined ? all : all.filter((s) => s.name === only || s.nodes.includes(only));
  if (only !== undefined && shown.length === 0) return null;
  return shown.map((s) => `${s.text}\n`).join("");
}
