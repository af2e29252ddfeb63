import { z } from "zod";
import { summariseEarlier } from "@/lib/core/acceptance/earlier-runs";
import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import { parserNamed } from "@/lib/parsers/parsers";
import type { NodeView, PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { evidenceOf, textOf } from "./perform/evidence-of";
import { refusal, type Refusal } from "./refusal";

const Name = z.string().min(1).max(253);
export const EarlierRuns = z.strictObject({
  cluster: Name,
  class: Name,
  nodes: z.array(Name).min(1).max(1024),
  takenAt: z.iso.datetime({ offset: true }),
  versions: z.record(z.string().min(1).max(100), z.string().min(1).max(200)).optional(),
  outputs: z.array(z.string()).min(1).max(50),
});
type EarlierRuns = z.infer<typeof EarlierRuns>;
type Request = { readonly actor: PersonView; readonly jobId: string; readonly input: unknown };

/** Records runs of a job from earlier as a baseline: raw outputs, kept and read by the job's own parser (R3.3). Never edits another one. */
export async function recordBaseline(
  deps: Pick<Deps, "store" | "clock" | "hash" | "newId">,
  request: Request,
): Promise<Result<{ readonly id: string }, Refusal>> {
  if (!request.actor.roles.includes("workload_owner"))
    return err(refusal("not_allowed", `Recording a baseline needs a workload owner; ${request.actor.name} is none.`));
  const read = EarlierRuns.safeParse(request.input);
  if (!read.success)
    return err(unusable(read.error.issues.slice(0, 20).map((one) => `${one.path.join(".") || "the body"}: ${one.message}`)));
  const runs = read.data;
  const job = (await deps.store.acceptanceJobs()).find((one) => one.id === request.jobId);
  if (job === undefined) return err(refusal("not_found", `There is no acceptance job ${request.jobId}.`));
  if (new Date(runs.takenAt) > (await deps.clock.now())) return err(unusable(["takenAt: lies in the future"]));
  if (runs.class !== job.spec.class) return err(unusable([`class: ${job.id} is of ${job.spec.class}`]));
  const known = new Map((await deps.store.inventory(runs.cluster)).map((node) => [node.name, node]));
  const faults = nodeFaults(runs, known);
  if (faults.length > 0) return err(unusable(faults));
  return await keep(deps, request, runs, { job, gpus: runs.nodes.reduce((sum, name) => sum + (known.get(name)?.gpus ?? 0), 0) });
}

const unusable = (places: readonly string[]): Refusal => refusal("invalid", "The earlier runs are not usable.", places);

function nodeFaults({ cluster, class: wanted, nodes }: EarlierRuns, known: ReadonlyMap<string, NodeView>): readonly string[] {
  const faults = nodes.flatMap((name, at) => {
    const node = known.get(name);
    if (node === undefined) return [`nodes.${at}: ${cluster} has no node ${name}`];
    if (node.classLabel !== wanted) return [`nodes.${at}: ${name} is of ${node.classLabel}`];
    return nodes.indexOf(name) < at ? [`nodes.${at}: ${name} stands twice`] : [];
  });
  return faults.slice(0, 20);
}

type For = { readonly job: { readonly id: string; readonly spec: AcceptanceJobSpec }; readonly gpus: number };

async function keep(
  deps: Pick<Deps, "store" | "clock" | "hash" | "newId">,
  { actor }: Request,
  runs: EarlierRuns,
  { job, gpus }: For,
): Promise<Result<{ readonly id: string }, Refusal>> {
  const name = job.spec.metrics[0]?.parser ?? (job.spec.expectOutput.kind === "parser" ? job.spec.expectOutput.parser : "text");
  const parse = parserNamed(name);
  if (parse === null) return err(refusal("invalid", `${job.id} names the parser "${name.slice(0, 60)}", and there is none of that name.`));
  const outputs = runs.outputs.map((text) => {
    const bytes = new TextEncoder().encode(text);
    const evidence = evidenceOf(deps.hash, bytes);
    return { evidence, reading: parse(bytes), text: textOf(bytes), sha256: deps.hash.bytes(bytes) };
  });
  const versions = runs.versions ?? {};
  const summary = summariseEarlier(outputs, job.spec, { hosts: runs.nodes.length, gpus, versions });
  if (!("rows" in summary)) return err(unusable(summary.slice(0, 20)));
  const ranks = Number(summary.conditions["ranks"] ?? "");
  const saved = await deps.store.recordBaseline({
    id: deps.newId(),
    jobId: job.id,
    clusterId: runs.cluster,
    classLabel: runs.class,
    summary,
    by: actor.id,
    at: await deps.clock.now(),
    takenAt: new Date(runs.takenAt),
    runs: outputs.map(({ evidence, reading, sha256 }) => ({
      id: deps.newId(),
      evidence,
      context: {
        node: runs.nodes[0] ?? "",
        nodes: runs.nodes,
        ranks: Number.isInteger(ranks) && ranks > 0 ? ranks : null,
        sizes: [...new Set(reading.measurements.map((one) => one.bucket))].sort((a, b) => a - b),
        versions: { ...versions, ...reading.versions },
      },
      output: { sha256, correct: "correct", because: "read from an output brought by a person" },
      measurements: reading.measurements,
    })),
    inputSha: deps.hash.text(canonicalJson(job.spec.inputs)),
    appVersion: job.spec.applicationVersion,
  });
  if (saved.ok) return ok(saved.value);
  if (saved.error.code === "already_recorded")
    return err(refusal("conflict", `An output of these is in the baseline ${saved.error.baseline} of ${job.id} already.`));
  return err(refusal("conflict", `The inventory of ${runs.cluster} was changed meanwhile; look at it again.`));
}
