import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { Scheduler } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { checkJobId, checkName, checkNames } from "./names";
import { runProgram } from "./run-program";
import type { SlurmCli } from "./slurm-cli";
import type { SlurmOptions } from "./slurm-options";

const MINUTE_MS = 60_000;
const MAX_SCRIPT_BYTES = 96 * 1024;

/** Jobs in our reservation: exactly the named nodes, alone on them, never requeued by the scheduler (a second run would be another run). */
export function jobWrites(
  cli: SlurmCli,
  readNode: Scheduler["readNode"],
  allowed: SlurmOptions["reservation"],
): Pick<Scheduler, "submit" | "cancel"> {
  return {
    async submit(job) {
      const refused = refusedJob(job);
      if (refused !== null) return err(refused);
      const partition = await commonPartition(job.nodes, readNode);
      if (!partition.ok) return partition;
      const account = allowed.accounts?.[0];
      const argv = [
        "sbatch",
        "--parsable",
        `--job-name=${job.name}`,
        `--nodes=${job.nodes.length}`,
        `--nodelist=${job.nodes.join(",")}`,
        `--partition=${partition.value}`,
        `--reservation=${job.reservation}`,
        `--time=${Math.max(1, Math.ceil(job.timeLimitMs / MINUTE_MS))}`,
        `--output=${job.output}`,
        "--chdir=/tmp",
        "--exclusive",
        "--mem=0",
        "--no-requeue",
        ...(account === undefined ? [] : [`--account=${account}`]),
      ];
      // sbatch wants to know the interpreter
      const script = job.script.startsWith("#!") ? job.script : `#!/bin/sh\n${job.script}`;
      const answer = await runProgram(cli, argv, script);
      if (!answer.ok) return answer;
      const jobId = /^(\d+)(?:;\S+)?$/.exec(answer.value.text.trim())?.[1];
      if (jobId !== undefined) return ok({ jobId });
      const because = `sbatch took ${job.name}, but its answer ${JSON.stringify(answer.value.text.slice(0, 100))} holds no job id.`;
      return err({ code: "unreadable", because });
    },

    async cancel(jobId) {
      const checked = checkJobId(jobId);
      if (!checked.ok) return checked;
      const answer = await runProgram(cli, ["scancel", jobId]);
      return answer.ok ? ok(undefined) : answer;
    },
  };
}

type Job = Parameters<Scheduler["submit"]>[0];

function refusedJob(job: Job): SourceError | null {
  for (const checked of [checkName("job", job.name), checkName("reservation", job.reservation), checkNames("node", job.nodes)]) {
    if (!checked.ok) return checked.error;
  }
  if (!/^\/[^\0\n%]*$/.test(job.output))
    return { code: "refused", because: `The output ${JSON.stringify(job.output)} of ${job.name} is not an absolute path.` };
  if (job.script.includes("\0")) return { code: "refused", because: `The script of ${job.name} holds a NUL character.` };
  if (Buffer.byteLength(job.script) > MAX_SCRIPT_BYTES) {
    return {
      code: "refused",
      because: `The script of ${job.name} is longer than ${MAX_SCRIPT_BYTES} bytes. Put the work into a file on the nodes.`,
    };
  }
  return null;
}

/** The scheduler's default partition need not hold the node: take the first that holds all of them. */
async function commonPartition(nodes: readonly string[], readNode: Scheduler["readNode"]): Promise<Result<string, SourceError>> {
  let common: readonly string[] | null = null;
  for (const name of nodes) {
    const node = await readNode(name);
    if (!node.ok) return node;
    const { partitions } = node.value;
    common = common === null ? partitions : common.filter((partition) => partitions.includes(partition));
  }
  const first = common?.[0];
  if (first !== undefined) return checkName("partition", first);
  return err({ code: "refused", because: `No partition holds ${nodes.join(", ")} together, so no job can run there.` });
}
