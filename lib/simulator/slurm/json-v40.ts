/** Bodies of data_parser v0.0.40 (Slurm 23.11): states are lists, numbers that can be absent are objects. */
import { foldHosts } from "@/lib/simulator/world/hostlist";
import type { JobState, Reservation } from "@/lib/simulator/world/state";

import { reasonWord } from "./json-v38";
import type { NodeView } from "./node-view";
import type { SiteView } from "./site-view";

type SlurmNumber = { set: boolean; infinite: boolean; number: number };
const whole = Math.floor;

export function metaV40(site: SiteView): Record<string, unknown> {
  const [major, minor, micro] = site.release.split(".");
  return {
    plugin: {
      type: "openapi/slurmctld",
      name: "Slurm OpenAPI slurmctld",
      data_parser: "data_parser/v0.0.40",
      accounting_storage: "accounting_storage/none",
    },
    client: { source: "", user: "root", group: "root" },
    command: [],
    slurm: { version: { major, micro, minor }, release: site.release, cluster: site.cluster.name },
  };
}

export const numberV40 = (value: number | null): SlurmNumber =>
  value === null ? { set: false, infinite: false, number: 0 } : { set: true, infinite: false, number: whole(value) };
const endless: SlurmNumber = { set: false, infinite: true, number: 0 };

export function nodeV40(view: NodeView, site: SiteView): Record<string, unknown> {
  const { node } = view;
  const { hardware: h, reason } = node;
  const running = view.jobs.some((job) => job.state === "RUNNING");
  const used = running ? `${h.gpus}(IDX:0-${h.gpus - 1})` : "0(IDX:N/A)";
  const memory = Math.round(h.memoryMb / 1024);
  return {
    architecture: "x86_64",
    burstbuffer_network_address: "",
    boards: 1,
    boot_time: numberV40(view.responding || !node.power.on ? node.bootedAt : 0),
    cluster_name: site.cluster.name,
    cores: h.cpus / 2,
    specialized_cores: 0,
    cpu_binding: 0,
    cpu_load: running ? h.cpus * 90 : 26,
    free_mem: numberV40(running ? h.memoryMb * 0.2 : h.memoryMb * 0.97),
    cpus: h.cpus,
    effective_cpus: h.cpus,
    specialized_cpus: "",
    extra: "",
    features: node.features,
    active_features: node.features,
    gres: `gpu:${h.gres}:${h.gpus}`,
    gres_drained: "N/A",
    gres_used: `gpu:${h.gres}:${used}`,
    instance_id: "",
    instance_type: "",
    last_busy: numberV40(node.lastBusyAt),
    mcs_label: "",
    specialized_memory: 0,
    name: node.name,
    next_state_after_reboot: node.rebootOrder?.nextState ? ["UNKNOWN", node.rebootOrder.nextState] : ["INVALID"],
    address: node.name,
    hostname: node.name,
    state: [view.base, ...view.flags],
    operating_system: `Linux ${node.versions.kernel.running} #1 SMP`,
    owner: "",
    partitions: view.partitions,
    port: 6818,
    real_memory: h.memoryMb,
    comment: "",
    reason: reason?.text ?? "",
    reason_changed_at: numberV40(reason?.at ?? 0),
    reason_set_by_user: reason?.user ?? "",
    resume_after: numberV40(null),
    reservation: view.reservation ?? "",
    alloc_memory: running ? whole(h.memoryMb * 0.9) : 0,
    alloc_cpus: running ? h.cpus : 0,
    alloc_idle_cpus: running ? 0 : h.cpus,
    tres_used: running ? `cpu=${h.cpus},mem=${memory}G,gres/gpu=${h.gpus}` : "",
    tres_weighted: running ? h.cpus : 0,
    slurmd_start_time: numberV40(node.slurmdStartedAt),
    sockets: 2,
    threads: 1,
    temporary_disk: 0,
    weight: 1,
    tres: `cpu=${h.cpus},mem=${memory}G,billing=${h.cpus},gres/gpu=${h.gpus}`,
    version: site.release,
  };
}

export function jobV40(job: JobState, site: SiteView): Record<string, unknown> {
  const first = site.nodes.find((n) => n.node.name === job.nodes[0])?.node.hardware;
  const cpus = (first?.cpus ?? 1) * job.nodeCount;
  const expectedEnd = job.endAt ?? (job.startAt !== null && job.limitS !== null ? job.startAt + job.limitS : 0);
  const tres = `cpu=${cpus},mem=${cpus}000M,node=${job.nodeCount},billing=${cpus}`;
  return {
    account: job.account,
    accrue_time: numberV40(job.submitAt),
    admin_comment: "",
    batch_flag: true,
    batch_host: job.nodes[0] ?? "",
    flags: [],
    cluster: site.cluster.name,
    command: job.command,
    comment: "",
    cpus: numberV40(cpus),
    current_working_directory: job.workDir,
    dependency: "",
    derived_exit_code: exitCode(0, 0),
    eligible_time: numberV40(job.eligibleAt),
    end_time: numberV40(expectedEnd),
    excluded_nodes: "",
    exit_code: exitCode(job.exitCode, job.signal),
    features: "",
    gres_detail: job.state === "RUNNING" ? job.nodes.map(() => `gpu:${first?.gres ?? "gpu"}:${first?.gpus ?? 0}`) : [],
    group_id: 0,
    group_name: job.user,
    job_id: job.id,
    job_resources: job.nodes.length === 0 ? {} : { nodes: foldHosts(job.nodes), allocated_hosts: job.nodes.length, allocated_cpus: cpus },
    job_state: job.state === "COMPLETING" ? [job.endState ?? "COMPLETED", "COMPLETING"] : [job.state],
    last_sched_evaluation: numberV40(job.startAt ?? site.now),
    name: job.name,
    node_count: numberV40(job.nodeCount),
    nodes: foldHosts(job.nodes),
    partition: job.partition,
    priority: numberV40(4294901759),
    qos: "",
    reboot: false,
    required_nodes: foldHosts(job.required),
    requeue: true,
    restart_cnt: job.restarts,
    resv_name: job.reservation ?? "",
    standard_error: "",
    standard_input: "/dev/null",
    standard_output: job.output,
    start_time: numberV40(job.startAt ?? 0),
    state_description: job.state === "PENDING" ? job.pendingReason.text : "",
    state_reason: reasonWord(job),
    submit_time: numberV40(job.submitAt),
    suspend_time: numberV40(0),
    tasks: numberV40(1),
    time_limit: job.limitS === null ? endless : numberV40(job.limitS / 60),
    tres_alloc_str: job.nodes.length > 0 ? tres : "",
    tres_per_node: job.gres === "" ? "" : `gres:${job.gres}`,
    tres_req_str: tres,
    user_id: job.user === "root" ? 0 : 10_000,
    user_name: job.user,
    wckey: "",
  };
}

export function reservationV40(reservation: Reservation, site: SiteView): Record<string, unknown> {
  const cores = site.nodes.filter((n) => reservation.nodes.includes(n.node.name)).reduce((sum, n) => sum + n.node.hardware.cpus, 0);
  return {
    accounts: reservation.accounts.join(","),
    burst_buffer: "",
    core_count: cores,
    end_time: numberV40(reservation.endAt),
    features: "",
    flags: [...reservation.flags, "SPEC_NODES"],
    groups: "",
    licenses: "",
    max_start_delay: 0,
    name: reservation.name,
    node_count: reservation.nodes.length,
    node_list: foldHosts(reservation.nodes),
    partition: "",
    start_time: numberV40(reservation.startAt),
    watts: numberV40(null),
    tres: `cpu=${cores}`,
    users: reservation.users.join(","),
  };
}

export function partitionV40(partition: SiteView["cluster"]["partitions"][number], site: SiteView): Record<string, unknown> {
  const members = site.nodes.filter((n) => n.partitions.includes(partition.name));
  return {
    name: partition.name,
    nodes: { allowed_allocation: "", configured: foldHosts(members.map((n) => n.node.name)), total: members.length },
    partition: { state: ["UP"] },
    maximums: { time: numberV40(2880) },
    defaults: { time: numberV40(60) },
  };
}

function exitCode(code: number, signal: number): Record<string, unknown> {
  return {
    status: [signal !== 0 ? "SIGNALED" : code === 0 ? "SUCCESS" : "ERROR"],
    return_code: numberV40(code),
    signal: { id: numberV40(signal === 0 ? null : signal), name: signal === 0 ? "" : "Terminated" },
  };
}
