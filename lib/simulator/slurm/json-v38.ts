/** Bodies of openapi v0.0.38, key for key as Slurm 22.05 sends them. */
import { foldHosts } from "@/lib/simulator/world/hostlist";
import { type JobState, type Reservation } from "@/lib/simulator/world/state";

import type { NodeView } from "./node-view";
import type { SiteView } from "./site-view";

const NO_WATTS = 4294967294;
const whole = Math.floor;
const at = (seconds: number | null): number => (seconds === null ? 0 : whole(seconds));

export const META_V38 = {
  plugin: { type: "openapi/v0.0.38", name: "Slurm OpenAPI v0.0.38" },
  Slurm: { version: { major: 22, micro: 8, minor: 5 }, release: "22.05.8" },
};

export function nodeV38(view: NodeView, site: SiteView): Record<string, unknown> {
  const { node } = view;
  const { hardware: h, reason } = node;
  const running = view.jobs.filter((job) => job.state === "RUNNING");
  const features = node.features.join(",");
  const used = running.length > 0 ? `${h.gpus}(IDX:0-${h.gpus - 1})` : "0(IDX:N/A)";
  const memory = Math.round(h.memoryMb / 1024);
  return {
    architecture: "x86_64",
    burstbuffer_network_address: "",
    boards: 1,
    boot_time: view.responding || !node.power.on ? at(node.bootedAt) : 0,
    comment: "",
    cores: h.cpus / 2,
    cpu_binding: 0,
    cpu_load: running.length > 0 ? h.cpus * 90 : 26,
    extra: "",
    free_memory: running.length > 0 ? whole(h.memoryMb * 0.2) : whole(h.memoryMb * 0.97),
    cpus: h.cpus,
    last_busy: at(node.lastBusyAt),
    features,
    active_features: features,
    gres: `gpu:${h.gres}:${h.gpus}`,
    gres_drained: "N/A",
    gres_used: `gpu:${h.gres}:${used}`,
    mcs_label: "",
    name: node.name,
    next_state_after_reboot: node.rebootOrder?.nextState ? "unknown" : "invalid",
    address: node.name,
    hostname: node.name,
    state: view.base.toLowerCase(),
    state_flags: view.flags,
    next_state_after_reboot_flags: node.rebootOrder?.nextState ? [node.rebootOrder.nextState] : [],
    operating_system: `Linux ${node.versions.kernel.running} #1 SMP`,
    owner: null,
    partitions: view.partitions,
    port: 6818,
    real_memory: h.memoryMb,
    reason: reason?.text ?? "",
    reason_changed_at: at(reason?.at ?? null),
    reason_set_by_user: reason?.user ?? null,
    slurmd_start_time: at(node.slurmdStartedAt),
    sockets: 2,
    threads: 1,
    temporary_disk: 0,
    weight: 1,
    tres: `cpu=${h.cpus},mem=${memory}G,billing=${h.cpus}`,
    slurmd_version: site.release,
    alloc_memory: running.length > 0 ? whole(h.memoryMb * 0.9) : 0,
    alloc_cpus: running.length > 0 ? h.cpus : 0,
    idle_cpus: running.length > 0 ? 0 : h.cpus,
    tres_used: running.length > 0 ? `cpu=${h.cpus},mem=${memory}G` : null,
    tres_weighted: running.length > 0 ? h.cpus : 0,
  };
}

export function jobV38(job: JobState, site: SiteView): Record<string, unknown> {
  const first = site.nodes.find((n) => n.node.name === job.nodes[0])?.node.hardware;
  const cpus = first?.cpus ?? 1;
  const started = job.nodes.length > 0;
  const tres = `cpu=${cpus * job.nodeCount},mem=${cpus * job.nodeCount}000M,node=${job.nodeCount},billing=${cpus * job.nodeCount}`;
  return {
    ...JOB_REST_V38,
    account: job.account,
    accrue_time: at(job.submitAt),
    batch_host: job.nodes[0] ?? "",
    flags: started ? ["TRES_STR_CALC"] : [],
    cluster: site.cluster.name,
    command: job.command,
    billable_tres: started ? cpus : null,
    eligible_time: at(job.eligibleAt),
    end_time: job.endAt !== null ? at(job.endAt) : job.startAt !== null && job.limitS !== null ? at(job.startAt + job.limitS) : 0,
    exit_code: job.signal !== 0 ? job.signal : job.exitCode * 256,
    gres_detail: job.state === "RUNNING" ? job.nodes.map(() => `gpu:${first?.gres ?? "gpu"}:${first?.gpus ?? 0}`) : [],
    group_name: job.user,
    job_id: job.id,
    ...(started ? { job_resources: resourcesOf(job, cpus) } : {}),
    job_state: job.state,
    last_sched_evaluation: at(job.startAt ?? site.now),
    name: job.name,
    nodes: foldHosts(job.nodes),
    cpus,
    node_count: job.nodeCount,
    partition: job.partition,
    required_nodes: foldHosts(job.required),
    restart_cnt: job.restarts,
    resv_name: job.reservation ?? "",
    start_time: at(job.startAt),
    state_description: job.state === "PENDING" ? job.pendingReason.text : "",
    state_reason: reasonWord(job),
    standard_output: job.output,
    submit_time: at(job.submitAt),
    time_limit: job.limitS === null ? null : whole(job.limitS / 60),
    tres_per_node: job.gres === "" ? "" : `gres:${job.gres}`,
    tres_req_str: tres,
    tres_alloc_str: started ? tres : "",
    user_id: job.user === "root" ? 0 : 10_000,
    user_name: job.user,
    current_working_directory: job.workDir,
  };
}

export function reasonWord(job: JobState): string {
  if (job.state === "PENDING") return job.pendingReason.word;
  if (job.state === "FAILED") return "NonZeroExitCode";
  return job.state === "TIMEOUT" ? "TimeLimit" : job.state === "NODE_FAIL" ? "NodeDown" : "None";
}

export function reservationV38(reservation: Reservation, site: SiteView): Record<string, unknown> {
  const cores = site.nodes.filter((n) => reservation.nodes.includes(n.node.name)).reduce((sum, n) => sum + n.node.hardware.cpus, 0);
  return {
    flags: [...reservation.flags, "SPEC_NODES"],
    accounts: reservation.accounts.join(","),
    burst_buffer: "",
    core_count: cores,
    core_spec_cnt: 0,
    end_time: at(reservation.endAt),
    features: "",
    groups: "",
    licenses: "",
    max_start_delay: 0,
    name: reservation.name,
    node_count: reservation.nodes.length,
    node_list: foldHosts(reservation.nodes),
    partition: "",
    start_time: at(reservation.startAt),
    watts: NO_WATTS,
    tres: `cpu=${cores}`,
    users: reservation.users.join(","),
  };
}

function resourcesOf(job: JobState, cpus: number): Record<string, unknown> {
  const allocated = job.nodes.map((nodename) => ({
    sockets: { "0": { cores: { "0": "allocated" } } },
    nodename,
    cpus_used: 0,
    memory_used: 0,
    memory_allocated: cpus * 1000,
  }));
  return {
    nodes: foldHosts(job.nodes),
    allocated_cores: cpus * job.nodes.length,
    allocated_hosts: job.nodes.length,
    allocated_nodes: allocated,
  };
}

export function partitionV38(partition: SiteView["cluster"]["partitions"][number], site: SiteView): Record<string, unknown> {
  const members = site.nodes.filter((n) => n.partitions.includes(partition.name));
  const cpus = members.reduce((sum, n) => sum + n.node.hardware.cpus, 0);
  return {
    flags: partition.default ? ["default"] : [],
    preemption_mode: ["disabled"],
    default_time_limit: 60,
    max_time_limit: 2880,
    name: partition.name,
    nodes: foldHosts(members.map((n) => n.node.name)),
    state: "UP",
    total_cpus: cpus,
    total_nodes: members.length,
    tres: `cpu=${cpus},node=${members.length},billing=${cpus}`,
  };
}

/** What every simulated job has in common. */
const JOB_REST_V38 = {
  admin_comment: "",
  array_job_id: 0,
  array_task_id: null,
  array_max_tasks: 0,
  array_task_string: "",
  association_id: 0,
  batch_features: "",
  batch_flag: true,
  burst_buffer: "",
  burst_buffer_state: "",
  cluster_features: "",
  comment: "",
  container: "",
  contiguous: false,
  core_spec: null,
  thread_spec: null,
  cores_per_socket: null,
  cpus_per_task: null,
  cpu_frequency_minimum: null,
  cpu_frequency_maximum: null,
  cpu_frequency_governor: null,
  cpus_per_tres: "",
  deadline: 0,
  delay_boot: 0,
  dependency: "",
  derived_exit_code: 0,
  excluded_nodes: "",
  features: "",
  federation_origin: "",
  federation_siblings_active: "",
  federation_siblings_viable: "",
  group_id: 0,
  licenses: "",
  max_cpus: 0,
  max_nodes: 0,
  mcs_label: "",
  memory_per_tres: "",
  nice: null,
  tasks_per_core: null,
  tasks_per_node: 0,
  tasks_per_socket: null,
  tasks_per_board: 0,
  tasks: 1,
  het_job_id: 0,
  het_job_id_set: "",
  het_job_offset: 0,
  prefer: "",
  memory_per_node: null,
  memory_per_cpu: 1000,
  minimum_cpus_per_node: 1,
  minimum_tmp_disk_per_node: 0,
  preempt_time: 0,
  pre_sus_time: 0,
  priority: 4294901759,
  profile: null,
  qos: "",
  reboot: false,
  requeue: true,
  resize_time: 0,
  shared: null,
  show_flags: ["SHOW_ALL", "SHOW_DETAIL", "SHOW_LOCAL"],
  sockets_per_board: 0,
  sockets_per_node: null,
  standard_error: "",
  standard_input: "/dev/null",
  suspend_time: 0,
  system_comment: "",
  time_minimum: 0,
  threads_per_core: null,
  tres_bind: "",
  tres_freq: "",
  tres_per_job: "",
  tres_per_socket: "",
  tres_per_task: "",
  wckey: "",
};
