/** The part of each machine's files that tells its state: written when it changes, read by the stand-ins and by `cat`. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { findFault, type Fault } from "@/lib/simulator/world/faults";
import { gpusPresent, gpuUuid } from "@/lib/simulator/world/gpus";
import type { NodeState, WorldState } from "@/lib/simulator/world/state";

import { HEAD, type SitePaths } from "./site-paths";

const OS_RELEASE =
  'PRETTY_NAME="Ubuntu 22.04.5 LTS"\nNAME="Ubuntu"\nVERSION_ID="22.04"\nVERSION="22.04.5 LTS (Jammy Jellyfish)"\nID=ubuntu\n';

/** Gives a function that writes what differs from the last call. */
export function createNodeFiles(paths: SitePaths, factor: () => number, now: () => number): (state: WorldState) => void {
  const written = new Map<string, string>();
  let [clockText, baseReal, baseShown] = ["", 0, 0];
  const write = (file: string, text: string): void => {
    if (written.get(file) === text) return;
    if (!written.has(file)) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    written.set(file, text);
  };
  let seen: { nodes: WorldState["nodes"]; faults: readonly Fault[] } | null = null;
  return (state) => {
    // Readers go on from one pair of instants, so the clock is written only when its factor changes or it jumps.
    const clock = `FACTOR_MILLI=${Math.max(1, Math.round(factor() * 1000))}\n`;
    if (clock !== clockText || Math.abs(now() - (baseShown + (Date.now() - baseReal) * 0.001 * factor())) > 1) {
      clockText = clock;
      [baseReal, baseShown] = [Date.now(), now()];
      write(join(paths.run, "clock"), `${clock}REAL_MS=${baseReal}\nSHOWN_MS=${Math.round(baseShown * 1000)}\n`);
    }
    if (seen !== null && seen.nodes === state.nodes && seen.faults === state.faults) return;
    for (const node of Object.values(state.nodes)) {
      if (seen !== null && seen.faults === state.faults && seen.nodes[`${node.cluster}/${node.name}`] === node) continue;
      writeNode(paths.nodeRoot(node.cluster, node.name), node, state, write);
    }
    if (seen === null) for (const cluster of state.description.clusters) writeHead(paths.nodeRoot(cluster.name, HEAD), cluster.name, write);
    seen = { nodes: state.nodes, faults: state.faults };
  };
}

type Write = (file: string, text: string) => void;

function writeNode(root: string, node: NodeState, state: WorldState, write: Write): void {
  const { driver, kernel, firmware } = node.versions;
  write(join(root, "proc/sys/kernel/random/boot_id"), `${node.bootId}\n`);
  write(join(root, "proc/stat"), `cpu  0 0 0 0 0 0 0 0 0 0\nbtime ${Math.floor(node.bootedAt)}\n`);
  write(
    join(root, "proc/driver/nvidia/version"),
    `NVRM version: NVIDIA UNIX x86_64 Kernel Module  ${driver.running}  Tue Jun  3 18:02:11 UTC 2026\nGCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04)\n`,
  );
  write(join(root, "etc/os-release"), OS_RELEASE);
  write(join(root, "etc/hostname"), `${node.name}\n`);
  write(join(root, "sim/state"), nodeFacts(node, state, { driver, kernel, firmware }));
  makeFolders(root, write);
}

function writeHead(root: string, cluster: string, write: Write): void {
  write(join(root, "etc/os-release"), OS_RELEASE);
  write(join(root, "etc/hostname"), `${HEAD}\n`);
  write(
    join(root, "sim/state"),
    shellLines({ NODE: HEAD, CLUSTER: cluster, POWER: "on", KERNEL_RUNNING: "5.15.0-1071-generic", GPUS: "0" }),
  );
  makeFolders(root, write);
}

function makeFolders(root: string, write: Write): void {
  for (const folder of ["var/lib/clearance", "home"]) mkdirSync(join(root, folder), { recursive: true });
  write(join(root, "home/.hushlogin"), "");
}

function nodeFacts(node: NodeState, state: WorldState, versions: NodeState["versions"]): string {
  const at = { cluster: node.cluster, node: node.name };
  const { steps } = state.description;
  const wrong = findFault(state.faults, "wrong-output", at)?.params;
  const present = gpusPresent(state, node);
  return shellLines({
    NODE: node.name,
    CLUSTER: node.cluster,
    POWER: node.power.on ? "on" : "off",
    DRIVER_RUNNING: versions.driver.running,
    DRIVER_INSTALLED: versions.driver.installed,
    KERNEL_RUNNING: versions.kernel.running,
    KERNEL_INSTALLED: versions.kernel.installed,
    FW_RUNNING: versions.firmware.running,
    FW_INSTALLED: versions.firmware.installed,
    GPU_MODEL: node.hardware.gpuModel,
    GPUS: String(present),
    GPU_SLOTS: String(node.hardware.gpus),
    GPU_UUIDS: Array.from({ length: present }, (_, gpu) => gpuUuid(node, gpu)).join(" "),
    HCAS: String(node.hardware.hcas),
    BUSBW: node.hardware.busbwGBs.toFixed(1),
    SLOW_PERCENT: String(findFault(state.faults, "all-reduce-slow", at)?.params.percent ?? 0),
    WRONG: String(wrong?.wrong ?? 0),
    WRONG_EXIT: String(wrong?.exitCode ?? 0),
    DCGM_NOT_RUN: findFault(state.faults, "dcgm-not-run", at) === undefined ? "" : "1",
    DCGM_FAIL_GPU: String(findFault(state.faults, "dcgm-fails", at)?.params.gpu ?? ""),
    DIAG_S: String(steps.diagS),
    ALLREDUCE_S: String(steps.allReduceS),
  });
}

function shellLines(facts: Record<string, string>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}
