/**
 * The programs that a simulated machine has: our stand-ins, and a short list of this machine's own tools. Nothing else is on PATH. That
 * keeps accidents away; it is no sandbox, since commands run as whoever runs the simulator.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { PROGRAMS } from "@/lib/simulator/slurm/programs";

import type { SitePaths } from "./site-paths";

const STAND_INS = fileURLToPath(new URL("../stand-ins", import.meta.url));
const OTHER_NAMES: Record<string, readonly string[]> = {
  machine: ["uname", "hostname", "reboot", "shutdown", "systemctl", "modinfo", "cat", "rm"],
  "install-driver": ["rollback-driver", "install-kernel", "rollback-kernel"],
  mpirun: ["srun"],
  "sim-slurm": PROGRAMS,
};
const REAL_TOOLS =
  "sh bash mkdir rmdir mv cp ln touch chmod ls stat sleep printf echo kill ps setsid nohup env timeout true false test [ awk sed grep head tail tee wc cut tr sort uniq sha256sum dirname basename date id od dd base64 seq readlink mktemp sync find xargs flock expr".split(
    " ",
  );

export function installTools(paths: SitePaths): void {
  rmSync(paths.bin, { recursive: true, force: true });
  mkdirSync(paths.bin, { recursive: true, mode: 0o755 });
  for (const tool of REAL_TOOLS) {
    const real = findTool(tool);
    if (real !== null) symlinkSync(real, join(paths.bin, tool));
  }
  for (const name of readdirSync(STAND_INS)) {
    copyFileSync(join(STAND_INS, name), join(paths.bin, name));
    chmodSync(join(paths.bin, name), 0o755);
    for (const other of OTHER_NAMES[name] ?? []) symlinkSync(name, join(paths.bin, other));
  }
}

/** The whole environment of a command on a simulated machine. */
export function machineEnvironment(paths: SitePaths, cluster: string, node: string): NodeJS.ProcessEnv {
  const root = paths.nodeRoot(cluster, node);
  return {
    NODE_ENV: "production",
    PATH: paths.bin,
    HOME: join(root, "home"),
    USER: "clearance",
    LOGNAME: "clearance",
    LANG: "C",
    TZ: "UTC",
    NODE_ROOT: root,
    SIM_STATE: paths.state,
    SIM_BIN: paths.bin,
    SIM_RUN: paths.run,
    SIM_CLUSTER: cluster,
    SIM_NODE: node,
    SIM_REAL_CAT: findTool("cat") ?? "/bin/cat",
    SIM_REAL_RM: findTool("rm") ?? "/bin/rm",
  };
}

function findTool(tool: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/bin"];
  return folders.map((folder) => join(folder, tool)).find((file) => file.startsWith("/") && existsSync(file)) ?? null;
}
