import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import type { RunContext, RunOutput } from "@/lib/core/acceptance/run";
import { outputCorrectness } from "@/lib/core/acceptance/output-correctness";
import type { Reading } from "@/lib/core/check/reading";
import type { Sha256 } from "@/lib/core/kernel/ids";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import type { ClaimedCommand, NewRun } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { reportHost } from "../host-report";
import { textOf } from "../perform/evidence-of";

type Facts = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requeues: number;
  readonly nodes: readonly string[];
  readonly throughScheduler: boolean;
  /** Its output went over its limit, or its file is missing. */
  readonly truncated: boolean;
  readonly outputSha: string;
  readonly stdout: Uint8Array;
  readonly reading: Reading | null;
};

const ASK_TIMEOUT_MS = 20_000;

/** One execution of an acceptance job with its numbers and conditions; null for a plain check, which has none. */
export async function runOf(deps: Deps, world: ClusterWorld, command: ClaimedCommand, facts: Facts): Promise<NewRun | null> {
  const { request } = command;
  if (request.kind !== "start_run" || request.job === null || command.subjectId === null || command.classId === null) return null;
  const wanted = request.job;
  const job = (await deps.store.acceptanceJobs()).find((known) => known.id === wanted.id);
  if (job === undefined) return null;
  const hosts = await reportHost({ shell: world.shell, hash: deps.hash }, request.node, ["gpu_driver", "kernel"], ASK_TIMEOUT_MS);
  const versions: Record<string, string> = { ...facts.reading?.versions };
  for (const one of hosts) if (one.text !== null) versions[one.component === "gpu_driver" ? "driver" : one.component] = one.text;
  const measurements = unambiguous(facts.reading?.measurements ?? []);
  return {
    id: deps.newId(),
    jobId: wanted.id,
    classId: command.classId,
    subjectId: command.subjectId,
    purpose: wanted.purpose,
    repeat: wanted.repeat,
    startedAt: new Date(facts.startedAt),
    finishedAt: new Date(facts.endedAt),
    hostEpoch: command.hostEpoch,
    context: contextOf(request.node, facts, versions, measurements),
    execution: {
      exitCode: facts.exitCode,
      signal: facts.signal,
      requeues: facts.requeues,
      wallMs: Math.max(0, Date.parse(facts.endedAt) - Date.parse(facts.startedAt)),
      throughScheduler: facts.throughScheduler,
    },
    output: { sha256: deps.hash.bytes(facts.stdout), ...correctnessOf(deps, job.spec.expectOutput, facts) },
    inputSha: deps.hash.text(canonicalJson(job.spec.inputs)),
    appVersion: job.spec.applicationVersion,
    evidenceSha: facts.outputSha as Sha256,
    measurements,
  };
}

/** Of an output that is not whole, only the tool's own word that something is wrong still stands (R2.3). */
function correctnessOf(deps: Deps, expected: AcceptanceJobSpec["expectOutput"], facts: Facts): Pick<RunOutput, "correct" | "because"> {
  const { reading, stdout } = facts;
  const whole = outputCorrectness(expected, { reading, text: textOf(stdout), sha256: deps.hash.bytes(stdout) });
  if (!facts.truncated || (whole.correct === "wrong" && expected.kind === "parser")) return whole;
  return { correct: "unknown", because: "the output went over its limit and was cut, or its file is missing" };
}

type Measurement = NewRun["measurements"][number];

/** A row that stands twice in one output is none: which of them is meant nobody can tell, and what lacks it is not comparable. */
function unambiguous(measurements: readonly Measurement[]): readonly Measurement[] {
  const name = ({ metric, bucket, placement }: Measurement): string => `${metric}/${bucket}/${placement}`;
  const times = new Map<string, number>();
  for (const one of measurements) times.set(name(one), (times.get(name(one)) ?? 0) + 1);
  return measurements.filter((one) => times.get(name(one)) === 1);
}

function contextOf(node: string, facts: Facts, versions: Record<string, string>, measurements: readonly Measurement[]): RunContext {
  const ranks = Number(facts.reading?.conditions["ranks"] ?? "");
  const sizes = [...new Set(measurements.map((one) => one.bucket))].sort((left, right) => left - right);
  return { node, nodes: [...facts.nodes], ranks: Number.isInteger(ranks) && ranks > 0 ? ranks : null, sizes, versions };
}
