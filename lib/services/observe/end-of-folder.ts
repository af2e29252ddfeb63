import type { CommandHandle } from "@/lib/core/change/command-request";
import { parserNamed } from "@/lib/parsers/parsers";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { evidenceOf, outputOf, saidOf } from "../perform/evidence-of";
import { ended, unknown, type Performed } from "../perform/performed";
import { runOf } from "./run-of";

type Folder = Extract<CommandHandle, { is: "folder" }>;

/** How a detached command ended: null while it runs or its host does not answer. What its output means is the core's to judge. */
export async function endOfFolder(deps: Deps, world: ClusterWorld, command: ClaimedCommand, handle: Folder): Promise<Performed | null> {
  const host = handle.host === "head" ? ({ head: true } as const) : { node: handle.host };
  const polled = await world.shell.poll(host, { folder: handle.folder, bootId: handle.bootId });
  if (!polled.ok || polled.value.is === "running") return null;
  if (polled.value.is === "lost") return unknown(polled.value.because);
  const end = polled.value;
  const output = outputOf(end);
  const evidence = evidenceOf(deps.hash, output);
  const { request } = command;
  const parser = request.kind === "start_run" ? (request.job === null ? request.parser : request.job.parser) : null;
  // The parser sees standard output alone: what a tool says on standard error is evidence, never data.
  const reading = parser === null ? undefined : parserNamed(parser)?.(end.stdout);
  const exit = end.exitCode === null ? `ended by signal ${end.signal ?? "unknown"}` : `ended with exit code ${end.exitCode}`;
  // A check that ran has been carried out, whatever it found; an update that exits non-zero has failed (R2.4).
  const result = request.kind === "start_run" || end.exitCode === 0 ? "done" : "failed";
  const facts = {
    exitCode: end.exitCode,
    signal: end.signal,
    startedAt: end.startedAt.toISOString(),
    endedAt: end.endedAt.toISOString(),
    truncated: end.truncated,
    said: saidOf(output),
    outputSha: evidence.sha256,
    ...(reading === undefined ? {} : { reading }),
  };
  const run = await runOf(deps, world, command, {
    ...facts,
    requeues: 0,
    nodes: [handle.host],
    throughScheduler: false,
    stdout: end.stdout,
    reading: reading ?? null,
  });
  return ended({ result, because: `${request.kind} on ${handle.host} ${exit}`, ...facts }, { evidence: [evidence], run });
}
