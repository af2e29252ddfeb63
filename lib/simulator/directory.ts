/** Where everything of the simulated site is: what an operator would otherwise know from DNS, known_hosts and the password store. */
import { createHmac } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Ports } from "./ports";
import { HEAD, type SitePaths } from "./ssh/site-paths";
import type { SshKeys } from "./ssh/ssh-keys";
import { SSH_USER } from "./ssh/ssh-site";
import type { WorldState } from "./world/state";

type SshAddress = { readonly host: string; readonly port: number; /** `ssh-ed25519 AAAA…` */ readonly hostKey: string };

export type ClusterEntry = {
  readonly restUrl: string;
  readonly slurmVersions: readonly string[];
  /** For X-SLURM-USER-TOKEN, with any X-SLURM-USER-NAME. */
  readonly token: string;
  readonly ssh: {
    readonly user: string;
    readonly privateKeyPem: string;
    readonly head: SshAddress;
    readonly hosts: Readonly<Record<string, SshAddress>>;
    /** Absolute, with `{node}`: the folder for the product's own files on each machine, and its boot id. */
    readonly stateDir: string;
    readonly bootIdFile: string;
    readonly headStateDir: string;
  };
  readonly prometheusUrl: string;
};

export type Directory = {
  readonly controlUrl: string;
  readonly knownHosts: string;
  readonly privateKey: string;
  readonly clusters: Readonly<Record<string, ClusterEntry>>;
};

export function buildDirectory(state: WorldState, site: { ports: Ports; keys: SshKeys; paths: SitePaths }): Directory {
  const { ports, keys, paths } = site;
  const loopback = (name: string): string => `http://127.0.0.1:${ports.of(name)}`;
  const address = (cluster: string, node: string): SshAddress => ({
    host: "127.0.0.1",
    port: ports.of(`ssh/${cluster}/${node}`),
    hostKey: keys.hostKey(`${cluster}/${node}`, false).public,
  });
  const clusters = state.description.clusters.map((cluster): [string, ClusterEntry] => {
    const nodes = Object.values(state.nodes).filter((node) => node.cluster === cluster.name);
    const root = paths.nodeRoot(cluster.name, "{node}");
    return [
      cluster.name,
      {
        restUrl: loopback(`rest/${cluster.name}`),
        slurmVersions: cluster.slurmVersions,
        token: slurmToken(state.seed, cluster.name),
        ssh: {
          user: SSH_USER,
          privateKeyPem: keys.client.private,
          head: address(cluster.name, HEAD),
          hosts: Object.fromEntries(nodes.map((node) => [node.name, address(cluster.name, node.name)])),
          stateDir: join(root, "var/lib/clearance"),
          bootIdFile: join(root, "proc/sys/kernel/random/boot_id"),
          headStateDir: join(paths.nodeRoot(cluster.name, HEAD), "var/lib/clearance"),
        },
        prometheusUrl: loopback("prometheus"),
      },
    ];
  });
  return {
    controlUrl: loopback("control"),
    knownHosts: join(paths.state, "known_hosts"),
    privateKey: join(paths.state, "id_ed25519"),
    clusters: Object.fromEntries(clusters),
  };
}

/** Writes `directory.json` and `known_hosts`. */
export function writeDirectory(stateDir: string, directory: Directory): void {
  replace(join(stateDir, "directory.json"), `${JSON.stringify(directory, null, 2)}\n`);
  const hosts = Object.values(directory.clusters).flatMap((cluster) => [cluster.ssh.head, ...Object.values(cluster.ssh.hosts)]);
  replace(join(stateDir, "known_hosts"), hosts.map((h) => `[${h.host}]:${h.port} ${h.hostKey}\n`).join(""));
}

/** The shape of `scontrol token`'s answer; the simulated slurmrestd compares it whole. */
export function slurmToken(seed: string, cluster: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${part({ alg: "HS256", typ: "JWT" })}.${part({ exp: 4_102_444_800, iat: 1_796_000_000, sun: cluster })}`;
  return `${body}.${createHmac("sha256", seed).update(body).digest("base64url")}`;
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
