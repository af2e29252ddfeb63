/**
 * Runs the scripts of batch jobs for real, on the machine of the job's first node. A job's folder holds script, pid and exit code, so that a
 * restarted simulator finds a script that is still running, or its end.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { DataCentre } from "@/lib/simulator/data-centre";
import { foldHosts } from "@/lib/simulator/world/hostlist";
import type { JobState, WorldState } from "@/lib/simulator/world/state";

import { findProcesses, killProcesses } from "./processes";
import type { SitePaths } from "./site-paths";
import { machineEnvironment } from "./tools";

/** A script whose processes are gone without an exit code was killed from outside, if that is still so after this real time. */
const LOST_AFTER_MS = 1000;

/** Gives a function to call after every change and tick. */
export function createJobRunner(centre: DataCentre, paths: SitePaths): (state: WorldState) => void {
  const running = new Map<string, { job: JobState; folder: string; quietSince: number | null }>();
  return (state) => {
    for (const job of Object.values(state.jobs)) {
      const key = keyOf(job);
      if (job.script === null || job.state !== "RUNNING" || running.has(key)) continue;
      const folder = join(paths.jobs, job.cluster, `${job.id}.${job.restarts}`);
      running.set(key, { job, folder, quietSince: null });
      if (!existsSync(folder)) start(paths, job, folder, key);
    }
    for (const [key, run] of running) {
      const now = state.jobs[`${run.job.cluster}/${run.job.id}`];
      if (now?.state !== "RUNNING" || now.restarts !== run.job.restarts) {
        running.delete(key);
        killProcesses(`SIM_JOB=${key}`);
        continue;
      }
      const end = endOf(run, key);
      if (end === null) continue;
      running.delete(key);
      const { cluster, id } = run.job;
      const detail = `${id} exit ${end.exitCode}:${end.signal}`;
      centre.perform(
        { type: "job-ended", cluster, id, ...end },
        { via: "simulator", what: "job-ended", detail, cluster, node: now.nodes[0] ?? null },
      );
    }
  };
}

const keyOf = (job: JobState): string => `${job.cluster}/${job.id}.${job.restarts}`;

function endOf(
  run: { folder: string; quietSince: number | null },
  key: string,
): { exitCode: number; signal: number; lost: boolean } | null {
  const file = join(run.folder, "exit");
  if (existsSync(file)) {
    const code = Number(readFileSync(file, "utf8"));
    return code > 128 ? { exitCode: 0, signal: code - 128, lost: false } : { exitCode: code, signal: 0, lost: false };
  }
  if (run.quietSince !== null && Date.now() - run.quietSince < LOST_AFTER_MS) return null;
  if (findProcesses(`SIM_JOB=${key}`).length > 0) {
    run.quietSince = Date.now(); // looked, and there was something: look again later
    return null;
  }
  if (run.quietSince === null) {
    run.quietSince = Date.now();
    return null;
  }
  return existsSync(file) ? endOf(run, key) : { exitCode: 1, signal: 0, lost: true };
}

function start(paths: SitePaths, job: JobState, folder: string, key: string): void {
  mkdirSync(folder, { recursive: true });
  const script = join(folder, "script");
  writeFileSync(script, job.script ?? "", { mode: 0o755 });
  const node = job.nodes[0] ?? "";
  const output = expandPattern(job.output, job, node);
  const reachable = isInside(paths.state, output) || isInside(tmpdir(), output);
  if (!reachable || !existsSync(dirname(output))) return finish(folder, 128 + 53); // Slurm's 0:53: the output cannot be opened
  const root = paths.nodeRoot(job.cluster, node);
  const cwd = existsSync(job.workDir) ? job.workDir : join(root, "home");
  const wrapper = 'echo $$ >"$1/pid"; "$1/script" >"$2" 2>&1 </dev/null; echo $? >"$1/exit.new"; mv "$1/exit.new" "$1/exit"';
  const child = spawn("/bin/sh", ["-c", wrapper, "slurmstepd", folder, output], {
    cwd,
    detached: true,
    stdio: "ignore",
    env: {
      ...machineEnvironment(paths, job.cluster, node),
      SIM_JOB: key,
      SIM_HOSTS: job.nodes.join(","),
      SIM_TASKS: String(job.nodes.length),
      SLURM_JOB_ID: String(job.id),
      SLURM_JOBID: String(job.id),
      SLURM_JOB_NAME: job.name,
      SLURM_JOB_NODELIST: foldHosts(job.nodes),
      SLURM_NODELIST: foldHosts(job.nodes),
      SLURM_JOB_NUM_NODES: String(job.nodes.length),
      SLURM_NNODES: String(job.nodes.length),
      SLURM_JOB_PARTITION: job.partition,
      SLURM_JOB_RESERVATION: job.reservation ?? "",
      SLURM_RESTART_COUNT: String(job.restarts),
      SLURM_SUBMIT_DIR: job.workDir,
      SLURMD_NODENAME: node,
    },
  });
  child.once("error", () => finish(folder, 127));
  child.unref();
}

function finish(folder: string, code: number): void {
  writeFileSync(join(folder, "exit"), `${code}\n`);
}

/** `%j`, `%x`, `%N`, `%u`, `%%`; `%A` is `%j` for what is no array. */
function expandPattern(pattern: string, job: JobState, node: string): string {
  const values: Record<string, string> = { j: String(job.id), A: String(job.id), x: job.name, N: node, u: job.user, "%": "%" };
  return pattern.replace(/%([jAxNu%])/g, (_, letter: string) => values[letter] ?? "");
}

function isInside(folder: string, file: string): boolean {
  return dirname(file) === folder || (file.startsWith(`${folder}/`) && !file.includes("/../"));
}
