/** All machines' sshds: each on its own port, open while its machine is on, misbehaving as faults say. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import type { DataCentre } from "@/lib/simulator/data-centre";
import { delay } from "@/lib/simulator/http-exchange";
import { isProgram, runProgram, type Program } from "@/lib/simulator/slurm/programs";
import { findFault } from "@/lib/simulator/world/faults";
import type { NodeState, WorldState } from "@/lib/simulator/world/state";

import { killProcesses } from "./processes";
import { runOnMachine, type Run } from "./shell";
import { HEAD, type SitePaths } from "./site-paths";
import { createSshHost, type ExecStreams, type SshHost } from "./ssh-host";
import type { SshKeys } from "./ssh-keys";
import { plainWords } from "./words";

export const SSH_USER = "clearance";

type Site = { centre: DataCentre; paths: SitePaths; keys: SshKeys; portOf: (cluster: string, node: string) => number };
/** `noted`: key folders that the journal has, as `cluster/node/key`. */
type Options = Site & { readonly noted: Set<string> };

type SshSite = { readonly stop: () => void };

/** Ports must be known for every node of the state; a node that appears later gets one from `portOf`. */
export async function openSshSite(site: Site): Promise<SshSite> {
  const { centre } = site;
  const execs = centre.journal.records.filter((r) => r.what === "exec");
  const options: Options = { ...site, noted: new Set(execs.map((r) => `${r.cluster}/${r.node}/${r.key}`)) };
  const hosts = new Map<string, { host: SshHost; mood: string }>();
  const state = centre.settle();
  for (const cluster of state.description.clusters) await addHost(options, hosts, cluster.name, HEAD).open();
  for (const node of Object.values(state.nodes)) {
    const host = addHost(options, hosts, node.cluster, node.name);
    await host.open(); // every port is claimed once, so that a taken one is found at the start
    applyMood(options, hosts, state, node);
  }
  noteKeyFolders(options);
  const follow = (now: WorldState): void => {
    for (const node of Object.values(now.nodes)) {
      if (!hosts.has(`${node.cluster}/${node.name}`)) addHost(options, hosts, node.cluster, node.name);
      applyMood(options, hosts, now, node);
    }
    for (const [key, { host }] of hosts) {
      if (key.endsWith(`/${HEAD}`) || now.nodes[key] !== undefined) continue;
      host.close();
      hosts.delete(key);
    }
  };
  let stopped = false;
  centre.watch((now) => {
    if (!stopped) follow(now);
  });
  return {
    stop: () => {
      stopped = true;
      for (const { host } of hosts.values()) host.close();
    },
  };
}

type Hosts = Map<string, { host: SshHost; mood: string }>;

function addHost(options: Options, hosts: Hosts, cluster: string, name: string): SshHost {
  const host = createSshHost({
    port: options.portOf(cluster, name),
    hostKey: options.keys.hostKey(`${cluster}/${name}`, false).private,
    clientKey: options.keys.client.public,
    user: SSH_USER,
    exec: (command, streams) => exec(options, { cluster, node: name, command }, streams),
  });
  hosts.set(`${cluster}/${name}`, { host, mood: "" });
  return host;
}

/** Closes what is off, and kills what ran on it; the rest behaves as its faults say. */
function applyMood(options: Options, hosts: Hosts, state: WorldState, node: NodeState): void {
  const entry = hosts.get(`${node.cluster}/${node.name}`);
  if (entry === undefined) return;
  const at = { cluster: node.cluster, node: node.name };
  const has = (kind: "ssh-hangs" | "ssh-refuses" | "host-key-changes"): boolean => findFault(state.faults, kind, at) !== undefined;
  const off = !node.power.on;
  const mood = `${off ? "off" : ""} ${has("ssh-refuses") ? "refuses" : ""} ${has("ssh-hangs") ? "hangs" : ""} ${has("host-key-changes") ? "key" : ""}`;
  if (off && !entry.mood.startsWith("off")) killProcesses(`NODE_ROOT=${options.paths.nodeRoot(node.cluster, node.name)}`);
  if (mood === entry.mood) return;
  const keyChanged = mood.includes("key") !== entry.mood.includes("key");
  entry.mood = mood;
  entry.host.hang(has("ssh-hangs"));
  if (keyChanged) {
    entry.host.useKey(options.keys.hostKey(`${node.cluster}/${node.name}`, has("host-key-changes")).private);
    options.keys.save();
  }
  if (off || has("ssh-refuses")) entry.host.close();
  else entry.host.open().catch(() => (entry.mood = "to be opened")); // the port is still being given back: the next tick tries again
}

function exec(options: Options, at: { cluster: string; node: string; command: string }, { channel, exit }: ExecStreams): Run | null {
  const { centre, paths } = options;
  const words = plainWords(at.command);
  const [program = "", ...argv] = words ?? [];
  if (isProgram(program)) {
    runSlurm(options, at, { program, argv }, { channel, exit }).catch((cause: unknown) => {
      channel.stderr.write(`${program}: fatal: ${String(cause)}\n`);
      exit(255, null);
    });
    return null;
  }
  const node = centre.settle().nodes[`${at.cluster}/${at.node}`];
  if (at.node !== HEAD && node?.power.on !== true) {
    exit(255, null);
    return null;
  }
  return runOnMachine(paths, at, { stdin: channel, stdout: channel, stderr: channel.stderr }, (code, signal) => {
    noteKeyFolders(options, at);
    exit(code, signal);
  });
}

async function runSlurm(
  options: Options,
  at: { cluster: string; node: string },
  call: { program: Program; argv: string[] },
  { channel, exit }: ExecStreams,
): Promise<void> {
  const { centre, paths } = options;
  const needsInput = call.program === "sbatch" && !call.argv.some((word) => word.startsWith("--wrap"));
  const stdin = needsInput ? await readAll(channel) : "";
  const faults = centre.settle().faults;
  const slow = findFault(faults, "scheduler-slow", at);
  if (slow !== undefined) await delay(slow.params.milliseconds);
  if (findFault(faults, "scheduler-down", at) !== undefined) await delay(1000);
  const desk = {
    centre,
    cluster: at.cluster,
    user: SSH_USER,
    workDir: join(paths.nodeRoot(at.cluster, at.node), "home"),
    via: "scontrol",
  } as const;
  const output = runProgram(desk, call.program, call.argv, stdin);
  if (channel.destroyed) return;
  if (output.err !== "") channel.stderr.write(output.err);
  if (output.out === "") return exit(output.code, null);
  channel.write(output.out, () => exit(output.code, null));
}

/** By events: iterating would destroy the channel, through which the answer still has to go. */
function readAll(channel: ExecStreams["channel"]): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    channel.on("data", (chunk: Buffer) => chunks.push(chunk));
    for (const event of ["end", "close"]) channel.once(event, () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

/**
 * A command that begins is one new folder below the machine's state folder: that is how a detached start shows, whatever its words were.
 * The journal gets one entry for each folder, also for those that appeared just before a crash.
 */
function noteKeyFolders(options: Options, only?: { cluster: string; node: string }): void {
  const { centre, paths, noted } = options;
  const places = only === undefined ? Object.values(centre.settle().nodes).map((n) => ({ cluster: n.cluster, node: n.name })) : [only];
  for (const { cluster, node } of places) {
    for (const key of listKeys(paths, cluster, node)) {
      if (noted.has(`${cluster}/${node}/${key}`)) continue;
      noted.add(`${cluster}/${node}/${key}`);
      centre.perform({ type: "note" }, { via: "ssh", what: "exec", detail: key, key, cluster, node });
    }
  }
}

function listKeys(paths: SitePaths, cluster: string, node: string): string[] {
  const root = join(paths.nodeRoot(cluster, node), "var/lib/clearance");
  if (!existsSync(root)) return []; // the machine has vanished
  const folders = readdirSync(root, { withFileTypes: true });
  return folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
