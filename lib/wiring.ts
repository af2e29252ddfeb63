import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { pino } from "pino";
import { prometheusMetrics } from "@/lib/adapters/prometheus/prometheus-metrics";
import { cliOverLocal } from "@/lib/adapters/slurm/cli-over-local";
import { cliOverShell } from "@/lib/adapters/slurm/cli-over-shell";
import { slurmScheduler } from "@/lib/adapters/slurm/slurm-scheduler";
import { quoteShell } from "@/lib/adapters/ssh/quote-shell";
import { sshShell, type SshShell } from "@/lib/adapters/ssh/ssh-shell";
import { webhookNotifier } from "@/lib/adapters/webhook/webhook-notifier";
import { expandHostlist } from "@/lib/core/kernel/hostlist";
import type { Sha256 } from "@/lib/core/kernel/ids";
import { Policy } from "@/lib/core/change/policy";
import type { Env } from "@/lib/env";
import type { ChangeFeed } from "@/lib/ports/change-feed";
import type { Log } from "@/lib/ports/log";
import type { ClusterSetup } from "@/lib/ports/rows";
import type { WorkerRegistry } from "@/lib/ports/worker-registry";
import type { ClusterConfig } from "@/lib/server/config/site-config";
import type { ClusterSite, ClusterWorld, Deps, Hashing } from "@/lib/services/deps";
import { changeFeed } from "@/lib/store/change-feed";
import { postgresStore } from "@/lib/store/postgres-store";

export type Wired = {
  readonly deps: Deps;
  readonly workers: WorkerRegistry;
  readonly feed: ChangeFeed;
  readonly env: Env;
  readonly close: () => Promise<void>;
};

/** The only place that knows every concrete part. `part` names this process in the log and in the record. */
export async function wire(env: Env, part: "web" | "worker" | "cli"): Promise<Wired> {
  const log = pinoLog(part);
  const store = postgresStore({ connectionString: env.databaseUrl, hash: hashing.text });
  const feed = changeFeed(env.databaseUrl);
  const shells: SshShell[] = [];
  const worlds = new Map<string, ClusterWorld>();
  for (const cluster of env.config.clusters) {
    const world = worldOf(cluster, env);
    if (world.shell !== null) shells.push(world.shell);
    worlds.set(cluster.id, world.world);
  }
  const { webhook } = env.config;
  const deps: Deps = {
    store,
    clock: store.clock,
    log,
    hash: hashing,
    newId: () => randomUUID(),
    world: (clusterId) => worlds.get(clusterId) ?? null,
    policy: (clusterId) => env.config.clusters.find((cluster) => cluster.id === clusterId)?.policy ?? Policy.parse({}),
    site: (clusterId) => {
      const cluster = env.config.clusters.find((one) => one.id === clusterId);
      return cluster === undefined ? null : siteOf(cluster);
    },
    notifiers:
      webhook === undefined
        ? []
        : [webhookNotifier({ url: () => secretOr(webhook.url, env), headers: () => headersOf(webhook.headers, env) })],
  };
  const close = async () => {
    for (const shell of shells) shell.close();
    await feed.close();
    await store.close();
  };
  return await Promise.resolve({ deps, workers: store.workers, feed, env, close });
}

export const hashing: Hashing = {
  text: (text) => createHash("sha256").update(text, "utf8").digest("hex") as Sha256,
  bytes: (bytes) => createHash("sha256").update(bytes).digest("hex") as Sha256,
};

function worldOf(cluster: ClusterConfig, env: Env): { readonly world: ClusterWorld; readonly shell: SshShell | null } {
  const { ssh, slurm, prometheus } = cluster;
  if (ssh === undefined) throw new Error(`cluster ${cluster.id} has no section ssh; nodes cannot be asked without it`);
  const { hosts } = ssh;
  const shell = sshShell({
    user: ssh.user,
    privateKey: readFileSync(ssh.privateKey.file, "utf8"),
    knownHosts: () => readFileSync(ssh.knownHosts.file, "utf8"),
    nodes:
      "template" in hosts && typeof hosts.template === "string"
        ? { template: hosts.template, port: Number(hosts.port) }
        : { hosts: hosts as Record<string, { host: string; port: number }> },
    head: ssh.head ?? null,
    jump: ssh.jump ?? null,
    stateDir: ssh.stateDir,
    bootIdFile: ssh.bootIdFile,
  });
  const { rest } = slurm;
  const scheduler = slurmScheduler({
    rest:
      rest === undefined
        ? null
        : {
            url: rest.url,
            user: rest.user,
            token: () => env.secret(rest.token),
            ...(rest.version === undefined ? {} : { version: rest.version }),
          },
    cli: slurm.cli.via === "local" ? cliOverLocal(slurm.cli.env) : cliOverShell(shell, quoteShell, slurm.cli.env),
    reservation: slurm.reservation,
  });
  const metrics =
    prometheus === undefined ? null : prometheusMetrics({ url: prometheus.url, headers: () => headersOf(prometheus.headers, env) });
  return {
    world: { scheduler, shell, metrics, rebootVia: slurm.rebootVia, nodeLabel: prometheus?.nodeLabel ?? null },
    shell,
  };
}

function siteOf(cluster: ClusterConfig): ClusterSite {
  const { topology } = cluster;
  const setup: ClusterSetup = {
    id: cluster.id,
    title: cluster.title,
    production: cluster.production,
    disposable: cluster.disposable,
    execution: cluster.execution,
    timezone: cluster.timezone,
    policy: cluster.policy,
    sources: [
      { name: "inventory", everyMs: 5 * 60_000, requiredFor: [] },
      { name: "slurm", everyMs: 60_000, requiredFor: ["service"] },
      { name: "work", everyMs: 60_000, requiredFor: [] },
      { name: "ssh", everyMs: 60_000, requiredFor: ["host_report"] },
      ...(cluster.prometheus === undefined ? [] : [{ name: "prometheus", everyMs: 60_000, requiredFor: ["telemetry" as const] }]),
    ],
    topology:
      "from" in topology
        ? { is: "from_scheduler" }
        : "none" in topology
          ? { is: "none", because: topology.none.because }
          : {
              is: "configured",
              leaves: topology.leaves.map((leaf) => ({ name: leaf.name, fabric: leaf.fabric, nodes: namesIn(leaf.nodes) })),
            },
  };
  const nodes = cluster.nodes.map(({ match, role, serverModel, accelerator, hca, environment }) => ({
    names: namesIn(match),
    role,
    facts: { serverModel, accelerator, hca, environment },
  }));
  return { setup, nodes };
}

/** The configuration has been read with its hostlists checked, so one that does not expand is a bug here. */
function namesIn(hostlist: string): readonly string[] {
  const names = expandHostlist(hostlist);
  if (!names.ok) throw new Error(`"${hostlist}" is not a list of hosts: ${names.error.because}`);
  return names.value;
}

type Headers = NonNullable<ClusterConfig["prometheus"]>["headers"];
const secretOr = (value: Headers[string], env: Env): string => (typeof value === "string" ? value : env.secret(value));
const headersOf = (headers: Headers, env: Env): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretOr(value, env)]));

function pinoLog(part: string): Log {
  const logger = pino({
    level: process.env["CLEARANCE_LOG"] ?? "info",
    base: { part, host: hostname() },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  return {
    info: (facts, text) => logger.info(facts, text),
    warn: (facts, text) => logger.warn(facts, text),
    error: (facts, text) => logger.error(facts, text),
  };
}
