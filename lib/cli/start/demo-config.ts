import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { stringify } from "yaml";
import { z } from "zod";

import { expandHostlist, foldHostlist } from "@/lib/core/kernel/hostlist";

/** What the simulated data centre says of itself; only what the configuration needs. */
const Address = z.looseObject({ host: z.string(), port: z.number().int() });
const DirectoryCluster = z.looseObject({
  restUrl: z.string(),
  token: z.string(),
  prometheusUrl: z.string(),
  ssh: z.looseObject({
    user: z.string(),
    hosts: z.record(z.string(), Address),
    head: Address,
    stateDir: z.string(),
    bootIdFile: z.string(),
  }),
});
/** Paths of the known hosts and of the key that opens the simulated machines, and the clusters by name. */
export const Directory = z.looseObject({
  knownHosts: z.string(),
  privateKey: z.string(),
  clusters: z.record(z.string(), DirectoryCluster),
});
export type Directory = z.infer<typeof Directory>;

const H100 = {
  serverModel: "XE9680",
  accelerator: { model: "H100", count: 8 },
  hca: { model: "ConnectX-7", count: 8 },
  environment: "ubuntu22",
};
const A100 = { ...H100, serverModel: "XE8545", accelerator: { model: "A100", count: 8 }, hca: { model: "ConnectX-6", count: 8 } };

type Told = {
  readonly title: string;
  readonly production: boolean;
  readonly groups: readonly { readonly match: string; readonly facts: typeof H100 }[];
};
const TOLD: Readonly<Record<string, Told>> = {
  "sim-h100": {
    title: "Simulated training cluster, H100 and A100",
    production: true,
    groups: [
      { match: "gpu[001-096]", facts: H100 },
      { match: "gpu[097-128]", facts: A100 },
    ],
  },
  "sim-second": { title: "Simulated second cluster, H100", production: true, groups: [{ match: "b[001-064]", facts: H100 }] },
  "sim-test": {
    title: "Simulated test cluster, may be destroyed",
    production: false,
    groups: [
      { match: "t[001-012]", facts: H100 },
      { match: "t[013-016]", facts: A100 },
    ],
  },
};

/** Where the demo's configuration stands. */
export const demoConfigFile = (dataDir: string): string => join(dataDir, "demo", "clearance.yaml");

/**
 * Writes the configuration of the demo: the same `clearance.yaml` that a site would write for these clusters, so that nothing downstream knows a
 * simulator.
 */
export function writeDemoConfig(dataDir: string, directory: Directory): void {
  const folder = dirname(demoConfigFile(dataDir));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const clusters = Object.entries(directory.clusters).map(([name, cluster]) => {
    const tokenFile = join(folder, `token-${name}`);
    writeFileSync(tokenFile, cluster.token, { mode: 0o600 });
    return clusterText({ ...cluster, name }, tokenFile, directory);
  });
  const file = demoConfigFile(dataDir);
  writeFileSync(file, `# Made at each start for the simulated data centre; edits are lost.\n${stringify({ clusters }, { lineWidth: 0 })}`);
}

function clusterText(
  { name, restUrl, prometheusUrl, ssh }: z.infer<typeof DirectoryCluster> & { name: string },
  tokenFile: string,
  keys: Directory,
): object {
  const told = TOLD[name];
  const at = ({ host, port }: { host: string; port: number }): { host: string; port: number } => ({ host, port });
  return {
    id: name,
    title: told?.title ?? name,
    production: told?.production ?? false,
    disposable: !(told?.production ?? false),
    timezone: "Europe/Berlin",
    slurm: {
      rest: { url: restUrl, user: ssh.user, token: { file: tokenFile } },
      cli: { via: "ssh" },
      reservation: { users: [ssh.user] },
    },
    ssh: {
      user: ssh.user,
      privateKey: { file: keys.privateKey },
      knownHosts: { file: keys.knownHosts },
      hosts: Object.fromEntries(Object.entries(ssh.hosts).map(([node, address]) => [node, at(address)])),
      head: at(ssh.head),
      stateDir: ssh.stateDir,
      bootIdFile: ssh.bootIdFile,
    },
    prometheus: { url: prometheusUrl, nodeLabel: "Hostname" },
    topology: { from: "slurm" },
    nodes: nodeGroups(Object.keys(ssh.hosts), told?.groups ?? []),
  };
}

/** The told groups, cut to the nodes there are; the rest (another world than the built-in one) counts as H100. */
function nodeGroups(nodes: readonly string[], groups: Told["groups"]): object[] {
  const left = new Set(nodes);
  const known = groups.map(({ match, facts }) => {
    const names = expandHostlist(match);
    const here = names.ok ? names.value.filter((name) => left.delete(name)) : [];
    return { names: here, facts };
  });
  return [...known, { names: [...left], facts: H100 }]
    .filter(({ names }) => names.length > 0)
    .map(({ names, facts }) => ({ match: foldHostlist(names), ...facts }));
}
