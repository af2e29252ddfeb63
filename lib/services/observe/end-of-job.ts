import type { CommandHandle } from "@/lib/core/change/command-request";
import { parserNamed } from "@/lib/parsers/parsers";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { evidenceOf, saidOf } from "../perform/evidence-of";
import { done, unknown, type Performed } from "../perform/performed";
import { runOf } from "./run-of";

type JobHandle = Extract<CommandHandle, { is: "job" }>;
type Jobs = Awaited<ReturnType<ClusterWorld["scheduler"]["listJobs"]>>;

const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

/** How a scheduler job ended, with its output read from the node it ran on: null while it waits, runs or completes. */
export async function endOfJob(
  deps: Deps,
  world: ClusterWorld,
  command: ClaimedCommand,
  handle: JobHandle,
  jobs: Jobs,
): Promise<Performed | null> {
  if (!jobs.ok) return null;
  const listed = jobs.value.entries.find((job) => job.id === handle.jobId);
  if (listed === undefined) {
    const asked = await world.scheduler.readJob(handle.jobId);
    if (!asked.ok && asked.error.code !== "not_found") return null;
    if (!asked.ok) return unknown(`the scheduler no longer knows job ${handle.jobId}; how it ended cannot be told`);
  }
  const read = listed === undefined ? await world.scheduler.readJob(handle.jobId) : null;
  const job = listed ?? (read?.ok ? read.value : null);
  if (job === null || job.phase !== "ended") return null;
  const output = await world.shell.readFile({ node: handle.host }, handle.output, OUTPUT_LIMIT_BYTES);
  if (!output.ok && output.error.code !== "not_found") return null;
  const stdout = output.ok ? output.value.bytes : new Uint8Array();
  const evidence = evidenceOf(deps.hash, stdout);
  const parser = command.request.kind === "start_run" ? (command.request.job?.parser ?? null) : null;
  const reading = parser === null ? undefined : parserNamed(parser)?.(stdout);
  const facts = {
    exitCode: job.exitCode,
    signal: job.signal === null || job.signal === 0 ? null : String(job.signal),
    startedAt: (job.startedAt ?? command.startedAt).toISOString(),
    endedAt: (job.endedAt ?? (await deps.clock.now())).toISOString(),
    requeues: job.requeues,
    ranOn: [...job.nodes],
    truncated: output.ok ? output.value.truncated : true,
    said: saidOf(stdout),
    outputSha: evidence.sha256,
    ...(reading === undefined ? {} : { reading }),
  };
  const run = await runOf(deps, world, command, { ...facts, nodes: job.nodes, throughScheduler: true, stdout, reading: reading ?? null });
  const because = `job ${job.id} on ${job.nodes.join(", ")}: ${job.state}${output.ok ? "" : ", its output file is missing"}`;
  return done(because, facts, { evidence: [evidence, evidenceOf(deps.hash, new TextEncoder().encode(job.raw), "application/json")], run });
}
