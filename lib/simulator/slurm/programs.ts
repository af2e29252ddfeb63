/** The Slurm programs of a cluster's head node by name. */
import { runSbatch, runScancel } from "./sbatch";
import type { Desk, Output } from "./desk";
import { runSinfo, runSqueue } from "./listing";
import { runScontrol } from "./scontrol";

export const PROGRAMS = ["scontrol", "squeue", "sinfo", "sbatch", "scancel"] as const;
export type Program = (typeof PROGRAMS)[number];
export const isProgram = (word: string): word is Program => (PROGRAMS as readonly string[]).includes(word);

export function runProgram(desk: Desk, program: Program, argv: readonly string[], stdin: string): Output {
  switch (program) {
    case "scontrol":
      return runScontrol(desk, argv);
    case "squeue":
      return runSqueue(desk, argv);
    case "sinfo":
      return runSinfo(desk, argv);
    case "sbatch":
      return runSbatch(desk, argv, stdin);
    case "scancel":
      return runScancel(desk, argv);
  }
}
