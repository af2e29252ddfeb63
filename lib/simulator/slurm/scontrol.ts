/** The stand-in for `scontrol`: words, exit codes and messages as measured on Slurm 22.05. */
import { listBody, slurmJson, type ListName } from "./body";
import { failed, isDown, said, siteOf, UNREACHABLE, type Desk, type Output } from "./desk";
import { cancelReboots, createReservation, deleteReservation, orderReboots, update } from "./scontrol-write";
import { jobLines, nodeLines, recordText, reservationLines, topologyText } from "./show-text";
import type { SiteView } from "./site-view";
import { dateText } from "./slurm-time";

export function runScontrol(desk: Desk, argv: readonly string[]): Output {
  const words = argv.filter((word) => !word.startsWith("-"));
  const options = argv.filter((word) => word.startsWith("-"));
  const json = options.find((option) => option === "--json" || option.startsWith("--json="));
  const release = siteOf(desk).release;
  if (options.includes("--version") || options.includes("-V")) return said(`slurm-wlm ${release}\n`);
  if (json !== undefined && release.startsWith("22."))
    return failed(`scontrol: unrecognized option '${json}'\nTry "scontrol --help" for more information`);
  const oneLine = options.includes("-o") || options.includes("--oneliner");
  const [verb = "", ...rest] = words;
  if (verb === "ping")
    return isDown(desk) ? { code: 1, out: "Slurmctld(primary) at ctl1 is DOWN\n", err: "" } : said("Slurmctld(primary) at ctl1 is UP\n");
  if (isDown(desk))
    return failed(verb === "show" ? `slurm_load_${rest[0] ?? "node"} error: ${UNREACHABLE}` : `slurm_update error: ${UNREACHABLE}`);
  switch (verb) {
    case "show":
      return show(desk, rest, { oneLine, json: json !== undefined });
    case "update":
      return update(desk, rest);
    case "create":
      return createReservation(desk, rest);
    case "delete":
      return deleteReservation(desk, rest);
    case "reboot":
      return orderReboots(desk, rest);
    case "cancel_reboot":
      return cancelReboots(desk, rest);
    case "version":
      return said(`slurm-wlm ${release}\n`);
    default:
      return failed(`invalid keyword: ${verb}`);
  }
}

function show(desk: Desk, [entity = "", name]: readonly string[], how: { oneLine: boolean; json: boolean }): Output {
  const site = siteOf(desk);
  const kind = entity.toLowerCase().split("=")[0] ?? "";
  const wanted = name ?? entity.split("=")[1];
  if (how.json) return showJson(site, kind, wanted);
  switch (kind) {
    case "node":
    case "nodes":
      return showNodes(site, wanted, how.oneLine);
    case "job":
    case "jobs": {
      const jobs = site.jobs.filter((job) => wanted === undefined || String(job.id) === wanted);
      if (wanted !== undefined && jobs.length === 0) return failed("slurm_load_jobs error: Invalid job id specified");
      return said(jobs.map((job) => recordText(jobLines(job, site), how.oneLine)).join("") || "No jobs in the system\n");
    }
    case "res":
    case "reservation":
    case "reservations":
    case "reservationname": {
      const found = site.reservations.filter((r) => wanted === undefined || r.name === wanted);
      if (found.length > 0) return said(found.map((r) => recordText(reservationLines(r, site), how.oneLine)).join(""));
      return wanted === undefined
        ? said("No reservations in the system\n")
        : { code: 1, out: `Reservation ${wanted} not found\n`, err: "" };
    }
    case "topo":
    case "topology": {
      const text = topologyText(site, wanted);
      if (text !== null) return said(text);
      return { code: 0, out: "", err: `scontrol: error: Topology information contains no switch or node named ${wanted}\n` };
    }
    case "config":
      return said(configText(site));
    case "partition":
    case "partitions":
      return said(
        site.cluster.partitions.map((p) => recordText([`PartitionName=${p.name}`, `Nodes=${p.nodes}`, "State=UP"], how.oneLine)).join(""),
      );
    default:
      return failed(`invalid entity:${entity} for keyword:show`);
  }
}

function showNodes(site: SiteView, wanted: string | undefined, oneLine: boolean): Output {
  const names = wanted === undefined ? null : wanted.split(",");
  const nodes = site.nodes.filter((n) => names === null || names.includes(n.node.name));
  const missing = (names ?? []).filter((n) => !nodes.some((known) => known.node.name === n));
  const text = nodes.map((n) => recordText(nodeLines(n, site), oneLine)).join("");
  return { code: missing.length > 0 ? 1 : 0, out: text + missing.map((n) => `Node ${n} not found\n`).join(""), err: "" };
}

function showJson(site: SiteView, kind: string, wanted: string | undefined): Output {
  const lists: Record<string, ListName> = {
    node: "nodes",
    nodes: "nodes",
    job: "jobs",
    jobs: "jobs",
    reservation: "reservations",
    res: "reservations",
    partition: "partitions",
  };
  const list = lists[kind];
  if (list === undefined) return failed(`invalid entity:${kind} for keyword:show`);
  return said(slurmJson(listBody(site, "v0.0.40", list, wanted)));
}

function configText(site: SiteView): string {
  const lines = [
    `Configuration data as of ${dateText(site.now)}`,
    "AccountingStorageType   = accounting_storage/none",
    `ClusterName             = ${site.cluster.name}`,
    "PreemptType             = preempt/none",
    "RebootProgram           = /usr/local/sbin/reboot-node",
    "ReturnToService         = 2",
    "SelectType              = select/cons_tres",
    `SLURM_VERSION           = ${site.release}`,
    "TopologyPlugin          = topology/tree",
  ];
  return `${lines.join("\n")}\n\nSlurmctld(primary) at ctl1 is UP\n`;
}
