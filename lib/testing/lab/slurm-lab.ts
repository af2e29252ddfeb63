import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "./child";
import { freePorts } from "./free-ports";
import { listens } from "./sshd";
import { knownHostLine, makeSshKey, writeSshdConfig } from "./ssh-keys";

type Address = { readonly host: string; readonly port: number };
export type SlurmLab = {
  readonly stateDir: string;
  readonly nodes: readonly string[];
  readonly restUrl: string;
  /** A slurmrestd token, made at the call. */
  token(user?: string): string;
  /** For Slurm's programs on this machine. */
  readonly env: { readonly PATH: string; readonly SLURM_CONF: string };
  readonly ssh: {
    readonly user: string;
    readonly privateKey: string;
    readonly knownHosts: string;
    readonly hosts: Readonly<Record<string, Address>>;
    readonly head: Address;
    /** Templates with {node}, "head" for the head host. */
    readonly stateDir: string;
    readonly bootIdFile: string;
  };
  nodeRoot(node: string): string;
  /** One of the node's facts that the stand-ins read (see stand-ins/lab-tool); null removes it. */
  setFact(node: string, name: string, value: string | null): void;
  fact(node: string, name: string): string | null;
  /** What the stand-ins of a node did, in order. */
  journal(node: string): readonly string[];
  /** Every node that was rebooted, once per reboot. */
  reboots(): readonly string[];
  /** Runs one of Slurm's programs as root and gives its output; throws when it fails. */
  slurm(...argv: string[]): string;
  /** off, crash, on, boot, hang-reboot, heal-reboot, boot-seconds=N */
  power(node: string, action: string): void;
  stop(): Promise<void>;
};

const HERE = dirname(fileURLToPath(import.meta.url));
const TOOLS = ["nvidia-smi", "dcgmi", "install-driver", "rollback-driver", "all_reduce_perf", "mpirun", "uname", "systemctl"];
const AWK = ["nvidia-smi.awk", "dcgmi.awk", "all_reduce_perf.awk"];

/**
 * A real Slurm cluster on this machine: munged, slurmctld, slurmrestd, and for each node a slurmd and an sshd with its own port, host key, boot id and
 * stand-ins for the vendor tools. gpu001-004 are on leaf01, gpu005-008 on leaf02, and so on. Needs root.
 */
export async function startSlurmLab(options: {
  readonly nodes: number;
  readonly bootSeconds?: number;
  readonly driver?: string;
}): Promise<SlurmLab> {
  endLeftovers();
  const names = Array.from({ length: options.nodes }, (_, i) => `gpu${String(i + 1).padStart(3, "0")}`);
  const places = [...names, "head"];
  // a short path: unix sockets allow about 100 characters
  const stateDir = mkdtempSync("/tmp/slab-");
  chmodSync(stateDir, 0o755);
  writeFileSync(`${stateDir}/owner`, String(process.pid));
  const slurmds = names.map((_, i) => 101 + i);
  const base = await freePorts([0, 3, ...slurmds, ...places.map((_, i) => 201 + i)]);
  const client = makeSshKey();
  const path = `${stateDir}/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
  const env = { PATH: path, SLURM_CONF: `${stateDir}/etc/slurm.conf` };

  writeStandIns(`${stateDir}/bin`);
  const known: string[] = [];
  const addresses: Record<string, Address> = {};
  for (const [i, node] of places.entries()) {
    const [root, port, hostKey] = [`${stateDir}/nodes/${node}`, base + 201 + i, makeSshKey()];
    mkdirSync(`${root}/lab`, { recursive: true });
    writeFileSync(`${root}/boot_id`, `${crypto.randomUUID()}\n`);
    writeFileSync(`${root}/lab/driver`, options.driver ?? "570.133.20");
    writeSshdConfig({ folder: `${root}/ssh`, port, hostKey, client, env: { ...env, NODE_ROOT: root, NODE_NAME: node } });
    known.push(knownHostLine("127.0.0.1", port, hostKey));
    addresses[node] = { host: "127.0.0.1", port };
  }
  const kit = (script: string, ...args: string[]): void => {
    const done = spawnSync("bash", [`${HERE}/slurm/${script}`, ...args], {
      encoding: "utf8",
      timeout: 120_000,
      env: { ...process.env, LAB_BOOT_SECONDS: String(options.bootSeconds ?? 2) },
    });
    if (done.status !== 0) throw new Error(`${script} ${args.join(" ")} failed: ${done.stderr}${done.stdout}`);
  };
  try {
    kit("start.sh", "-s", stateDir, "-p", String(base), "-n", String(options.nodes));
    // A started sshd listens a moment later, on a busy machine much later.
    for (const [node, { port }] of Object.entries(addresses)) await until(`sshd of ${node} listens`, 20, () => listens(port));
  } catch (cause) {
    kit("stop.sh", "-s", stateDir);
    throw cause;
  }

  const slurm = (...argv: string[]): string => {
    const [program = "", ...args] = argv;
    return execFileSync(program, args, { encoding: "utf8", timeout: 60_000, env: { ...process.env, ...env, TZ: "UTC" } });
  };
  const nodeRoot = (node: string): string => `${stateDir}/nodes/${node}`;
  const fact = (node: string, name: string): string | null => {
    const file = `${nodeRoot(node)}/lab/${name}`;
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  };
  const { head, ...hosts } = addresses;
  if (head === undefined) throw new Error("the lab has no head host");
  return {
    stateDir,
    nodes: names,
    restUrl: `http://127.0.0.1:${base + 3}`,
    token: (user = "root") =>
      slurm("scontrol", "token", `username=${user}`, "lifespan=36000")
        .trim()
        .replace(/^SLURM_JWT=/, ""),
    env,
    ssh: {
      user: "root",
      privateKey: client.privateKey,
      knownHosts: `${known.join("\n")}\n`,
      hosts,
      head,
      stateDir: `${stateDir}/nodes/{node}/clearance`,
      bootIdFile: `${stateDir}/nodes/{node}/boot_id`,
    },
    nodeRoot,
    setFact: (node, name, value) =>
      value === null ? rmSync(`${nodeRoot(node)}/lab/${name}`, { force: true }) : writeFileSync(`${nodeRoot(node)}/lab/${name}`, value),
    fact,
    journal: (node) => (fact(node, "journal") ?? "").split("\n").filter((line) => line !== ""),
    reboots: () => {
      const file = `${stateDir}/log/reboots.txt`;
      return existsSync(file) ? (readFileSync(file, "utf8").match(/(?<=^\d+ )\S+/gm) ?? []) : [];
    },
    slurm,
    power: (node, action) => kit("node.sh", "-s", stateDir, action, node),
    stop: async () => {
      kit("stop.sh", "-s", stateDir);
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** A lab whose test was killed still runs: end it by its own recorded pids. */
function endLeftovers(): void {
  for (const name of readdirSync("/tmp").filter((entry) => entry.startsWith("slab-"))) {
    const [folder, owner] = [`/tmp/${name}`, `/tmp/${name}/owner`];
    if (!existsSync(owner) || existsSync(`/proc/${readFileSync(owner, "utf8")}`)) continue;
    spawnSync("bash", [`${HERE}/slurm/stop.sh`, "-s", folder], { timeout: 60_000 });
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeStandIns(bin: string): void {
  mkdirSync(bin, { recursive: true });
  copyFileSync(`${HERE}/stand-ins/lab-tool`, `${bin}/lab-tool`);
  chmodSync(`${bin}/lab-tool`, 0o755);
  for (const tool of TOOLS) symlinkSync("lab-tool", `${bin}/${tool}`);
  // the same texts as the simulated data centre prints
  for (const text of AWK) copyFileSync(`${HERE}/../../simulator/stand-ins/${text}`, `${bin}/${text}`);
}
