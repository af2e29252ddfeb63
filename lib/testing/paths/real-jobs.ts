import { readFileSync } from "node:fs";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import type { SlurmLab } from "@/lib/testing/lab/slurm-lab";

/** A job of somebody's that runs on one node until it ends by itself; gives its id. */
export const startJob = (lab: SlurmLab, node: string, seconds: number): string =>
  lab
    .slurm("sbatch", "--parsable", "-w", node, "-J", "training", "-t", "10", "-D", "/tmp", "-o", "/dev/null", "--wrap", `sleep ${seconds}`)
    .trim();

/**
 * One job of somebody's for each node that is being updated, sent while the node is out. It may run nowhere else, so the scheduler starts it in the
 * first moment in which it can place work there.
 */
export function jobsThatWait(lab: SlurmLab) {
  const jobs = new Map<string, string>();
  return {
    look: (view: ChangeView): void => {
      for (const { name, step } of view.targets)
        if (!jobs.has(name) && ["updating", "rebooting", "observing"].includes(step)) jobs.set(name, startJob(lab, name, 0));
    },
    waiting: (): string[] => [...jobs.keys()].sort(),
    of: (node: string): string => jobs.get(node) ?? "",
  };
}

type EndOfJob = { readonly state: string; readonly startedAt: Date; readonly endedAt: Date };

/** How a job ended, from the scheduler's own book. */
export function endOfJob(lab: SlurmLab, id: string): EndOfJob {
  const line = readFileSync(`${lab.stateDir}/log/jobcomp.txt`, "utf8")
    .split("\n")
    .find((one) => one.startsWith(`JobId=${id} `));
  if (line === undefined) throw new Error(`job ${id} has not ended`);
  const word = (name: string): string => new RegExp(` ${name}=(\\S+)`).exec(line)?.[1] ?? "";
  return { state: word("JobState"), startedAt: new Date(word("StartTime")), endedAt: new Date(word("EndTime")) };
}

/** A node in Slurm's own words. */
export function nodeNow(lab: SlurmLab, node: string): { readonly state: string; readonly reason: string | null } {
  const text = lab.slurm("scontrol", "show", "node", node);
  const reason = /^\s*Reason=(.*?)(?: \[\S+@\S+\])?$/m.exec(text)?.[1] ?? null;
  return { state: /State=(\S+)/.exec(text)?.[1] ?? "", reason };
}
