type DriverPlan = {
  /** Default: what is done and where. */
  readonly title?: string;
  readonly cluster: string;
  readonly nodes: string;
  readonly from: string;
  readonly to: string;
  /** Acceptance jobs, "name@version"; empty for a rehearsal. */
  readonly jobs: readonly string[];
  readonly batchSize?: number;
  readonly advance?: "manual" | "auto";
  readonly delay?: string;
  readonly settle?: string;
  readonly canaries?: string;
  readonly drainDeadline?: string;
  readonly rollback?: "tested" | "untested" | "impossible";
  /** A further validation command on every node. */
  readonly alsoValidate?: string;
  readonly windowHours?: number;
  readonly now: Date;
  readonly extra?: string;
};

export const FABRIC = "mpirun -np {gpus} all_reduce_perf -b 512M -e 8G -f 2 -g 1";

/** A driver plan as an operator would write it. The commands are the vendor's, and what the lab and the simulated site stand in for. */
export function driverPlan(p: DriverPlan): string {
  const opens = new Date(p.now.getTime() - 60_000);
  const closes = new Date(p.now.getTime() + (p.windowHours ?? 8) * 3_600_000);
  const local = (at: Date) => at.toISOString().slice(0, 16);
  const validate = [
    `  - {name: driver version, run: "nvidia-smi --query-gpu=driver_version --format=csv,noheader", expect: {every: ${p.to}}}`,
    `  - {name: dcgm, run: "dcgmi diag -r 2 -j", parser: dcgm-diag}`,
    ...(p.alsoValidate === undefined ? [] : [`  - {name: site check, run: ${JSON.stringify(p.alsoValidate)}}`]),
    `  - {name: fabric all-reduce, scope: change, gate: fabric_validation, run: "${FABRIC}", parser: nccl-tests, baseline: {busbw: "> 95%"}}`,
    `  - {name: dcgm on a sample, scope: change, gate: spot_validation, run: "dcgmi diag -r 2 -j", parser: dcgm-diag}`,
  ];
  const accept = p.jobs.map((job) => `{job: ${job}, baseline: capture}`);
  return [
    "apiVersion: clearance/v1",
    `title: ${JSON.stringify(p.title ?? `GPU driver ${p.to} on ${p.cluster}`)}`,
    "ticket: CHG0041234",
    `cluster: ${p.cluster}`,
    "type: gpu_driver",
    `target: {nodes: "${p.nodes}", driver: ${p.to}}`,
    `batchSize: ${p.batchSize ?? 2}`,
    `interBatchDelay: ${p.delay ?? "2s"}`,
    `canaries: ${p.canaries ?? "{perClass: 1}"}`,
    `advance: ${p.advance ?? "manual"}`,
    `windows: [{start: ${local(opens)}, end: ${local(closes)}, timezone: UTC}]`,
    `drain: {deadline: ${p.drainDeadline ?? "30m"}, onDeadline: ask}`,
    "persistence: {kind: none}",
    `update: [{name: install, on: node, run: "install-driver ${p.to}", timeout: 5m}]`,
    ...(accept.length === 0 ? [] : [`acceptance: [${accept.join(", ")}]`]),
    "validate:",
    ...validate,
    "telemetry:",
    `  - {name: remapped rows, query: 'DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS{Hostname="{node}"}', expect: {notAbove: before}, seriesPerNode: 8, freshness: 60s, settle: ${p.settle ?? "3s"}}`,
    `rollback: {components: [{name: driver, capability: ${p.rollback ?? "tested"}${p.rollback === "impossible" ? "" : `, run: "install-driver ${p.from}"`}}]}`,
    "people: {operator: [AK], workloadOwner: [LT], approver: [MR], secondEngineer: [JS], decisionOwner: DV}",
    ...(p.extra === undefined ? [] : [p.extra]),
    "",
  ].join("\n");
}

/** An acceptance job of one class: the all-reduce through the scheduler, judged by size against the baseline. */
export const ncclJob = (name: string, nodeClass: string, repeats = 2): string =>
  [
    `name: ${name}`,
    "version: 1",
    `class: ${nodeClass}`,
    "script: |",
    "  #!/bin/sh",
    "  all_reduce_perf -b 512M -e 8G -f 2 -g 8",
    "inputs: []",
    "applicationVersion: nccl-tests 2.19.6",
    "expect: {output: {parser: nccl-tests, wrongValues: {equals: 0}}}",
    "metrics: [{name: busbw, parser: nccl-tests, unit: GB/s, direction: higher, warn: {above: 95%}, fail: {above: 90%}}]",
    `repeats: ${repeats}`,
    "timeLimit: 5m",
    "judges: [LT]",
    "",
  ].join("\n");
