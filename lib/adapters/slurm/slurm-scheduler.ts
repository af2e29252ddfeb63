import type { Scheduler } from "@/lib/ports/scheduler";
import { jobWrites } from "./slurm-jobs";
import type { SlurmOptions } from "./slurm-options";
import { cliReads, programReads, restReads } from "./slurm-reads";
import { slurmRest } from "./slurm-rest";
import { nodeWrites, reservationWrites } from "./slurm-writes";
import { withHolders } from "./with-holders";

/** Slurm 20.11 to 25.11. One way per call and no falling back to another one: a source that fails is shown as failing. */
export function slurmScheduler(options: SlurmOptions): Scheduler {
  const rest = options.rest === null ? null : slurmRest(options.rest);
  const reads = rest === null ? cliReads(options.cli) : restReads(rest);
  return {
    ...withHolders(reads, options.cli),
    ...programReads(options.cli),
    ...nodeWrites(rest, options.cli),
    ...reservationWrites(options.cli, options.reservation),
    ...jobWrites(options.cli, reads.readNode, options.reservation),
  };
}
