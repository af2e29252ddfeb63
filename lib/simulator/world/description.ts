/** What a simulated data centre is made of: the file that `--world` names. Times ending in S are shown seconds. */
import { z } from "zod";

import { expandHosts } from "./hostlist";

const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/);
const Hosts = z
  .string()
  .min(1)
  .refine((text) => expandHosts(text) !== null, "not a host list");
const Seconds = z.number().min(0).max(1e7);

const Steps = z.strictObject({
  /** From the reboot order's power-off to the node answering again. */
  bootS: Seconds.default(180),
  /** How long `install-driver` and its relatives work. */
  updateS: Seconds.default(120),
  diagS: Seconds.default(60),
  allReduceS: Seconds.default(20),
  epilogS: Seconds.default(3),
  /** Prometheus' scrape interval. */
  scrapeS: z.number().min(1).max(3600).default(15),
  minJobAgeS: Seconds.default(600),
  slurmdTimeoutS: Seconds.default(300),
  resumeTimeoutS: Seconds.default(1800),
  /** How long a resumed node shows NOT_RESPONDING. */
  respondS: Seconds.default(1),
});

const Hardware = z.strictObject({
  gpuModel: z.string().default("NVIDIA H100 80GB HBM3"),
  gres: Name.default("h100"),
  gpus: z.number().int().min(0).max(16).default(8),
  cpus: z.number().int().min(1).default(96),
  memoryMb: z.number().int().min(1).default(1_900_000),
  /** Healthy all-reduce bus bandwidth at 8 GiB. */
  busbwGBs: z.number().positive().default(460),
  hcas: z.number().int().min(0).max(16).default(8),
});
export type Hardware = z.infer<typeof Hardware>;

const NodeGroup = z.strictObject({
  names: Hosts,
  hardware: Hardware.prefault({}),
  driver: z.string().default("570.133.20"),
  kernel: z.string().default("5.15.0-1071-generic"),
  firmware: z.string().default("28.39.1002"),
  features: z.array(Name).default([]),
});

const InitialJob = z.strictObject({
  user: Name,
  name: z.string().min(1).max(100),
  nodes: Hosts,
  /** null: no time limit. */
  limitMinutes: z.number().positive().nullable(),
  /** How long it will still run; null: for ever. */
  leftMinutes: z.number().positive().nullable(),
});

const JobStream = z.strictObject({
  user: Name,
  name: z.string().min(1).max(100),
  /** Where it may run; default: the whole cluster. */
  within: Hosts.optional(),
  nodesPerJob: z.number().int().min(1).default(1),
  minutes: z.number().positive(),
  maxRunning: z.number().int().min(0),
  /** This many of its jobs always wait in the queue. */
  keepQueued: z.number().int().min(0).default(1),
});

const Unavailable = z.strictObject({
  nodes: Hosts,
  state: z.enum(["drain", "down"]),
  reason: z.string().min(1).max(500),
  user: Name.default("root"),
});

const Cluster = z.strictObject({
  name: Name,
  /** slurmrestd versions served, newest last; they also decide the release that is reported. */
  slurmVersions: z
    .array(z.enum(["v0.0.38", "v0.0.40"]))
    .min(1)
    .default(["v0.0.38"]),
  partitions: z.array(z.strictObject({ name: Name, nodes: Hosts, default: z.boolean().default(false) })).min(1),
  nodes: z.array(NodeGroup).min(1),
  leaves: z.array(z.strictObject({ name: Name, nodes: Hosts })).default([]),
  unavailable: z.array(Unavailable).default([]),
  jobs: z.array(InitialJob).default([]),
  streams: z.array(JobStream).default([]),
});
export type ClusterDescription = z.infer<typeof Cluster>;

export const WorldDescription = z.strictObject({ steps: Steps.prefault({}), clusters: z.array(Cluster).min(1).max(16) });
export type WorldDescription = z.infer<typeof WorldDescription>;

/** The release whose bodies a cluster speaks. */
export function releaseOf(cluster: ClusterDescription): string {
  return cluster.slurmVersions.includes("v0.0.40") ? "23.11.4" : "22.05.8";
}
