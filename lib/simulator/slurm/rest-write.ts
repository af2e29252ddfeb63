/** The two writes of slurmrestd that the simulator knows: node update (v0.0.40) and job submission. */
import { z } from "zod";

import type { Answer } from "@/lib/simulator/http-exchange";
import { expandHosts } from "@/lib/simulator/world/hostlist";

import { errorBody, frame, type SlurmVersion } from "./body";
import { act, siteOf, type Desk } from "./desk";
import { restError, restJson } from "./rest-answer";
import { submitJob } from "./sbatch";
import { readDuration } from "./slurm-time";

const NodeUpdate = z.looseObject({
  state: z
    .array(z.string())
    .or(z.string().transform((s) => [s]))
    .default([]),
  reason: z.string().optional(),
});

const Minutes = z
  .number()
  .or(z.string())
  .or(z.looseObject({ number: z.number().optional(), infinite: z.boolean().optional() }));
const Submission = z.looseObject({
  script: z.string().optional(),
  job: z.looseObject({
    script: z.string().optional(),
    name: z.string().default("sbatch"),
    partition: z.string().optional(),
    account: z.string().optional(),
    reservation: z.string().optional(),
    time_limit: Minutes.optional(),
    environment: z.unknown().optional(),
    current_working_directory: z.string().optional(),
    standard_output: z.string().optional(),
    nodes: z.number().or(z.string()).optional(),
    required_nodes: z
      .array(z.string())
      .or(z.string().transform((s) => [s]))
      .optional(),
    gres: z.string().optional(),
    tres_per_node: z.string().optional(),
  }),
});

export function updateNodeByRest(desk: Desk, version: SlurmVersion, node: string, body: string): Answer {
  const parsed = NodeUpdate.safeParse(parseJson(body));
  const failure = (description: string, errno: number): Answer =>
    restJson(errno === 9001 ? 400 : 500, frame(siteOf(desk), version, { errors: [restError(description, errno)] }));
  if (!parsed.success) return failure("Unable to parse body", 9001);
  const { state, reason = "" } = parsed.data;
  const words = state.map((word) => word.toUpperCase());
  const unknown = words.find((word) => !["DRAIN", "DOWN", "RESUME", "UNDRAIN", "FAIL"].includes(word));
  if (unknown !== undefined) return failure(`Unknown flag "${unknown}"`, 9001);
  const by = { cluster: desk.cluster, node, user: desk.user };
  const out = words.includes("DRAIN") || words.includes("FAIL");
  if ((out || words.includes("DOWN")) && reason === "") return failure("You must specify a reason when DOWNING or DRAINING a node", 2019);
  const [what, event] = out
    ? (["drain", { type: "drain", reason, ...by }] as const)
    : words.includes("DOWN")
      ? (["down", { type: "take-down", reason, ...by }] as const)
      : words.length > 0
        ? (["resume", { type: "resume", ...by }] as const)
        : (["reason", { type: "change-reason", reason, ...by }] as const);
  const { refused } = act(desk, event, { what, node, detail: reason, named: reason });
  return refused === null ? restJson(200, frame(siteOf(desk), version, {})) : failure(refused.text, refused.errno);
}

export function submitByRest(desk: Desk, version: SlurmVersion, body: string): Answer {
  const parsed = Submission.safeParse(parseJson(body));
  const site = siteOf(desk);
  const script = parsed.success ? (parsed.data.script ?? parsed.data.job.script) : undefined;
  if (!parsed.success || script === undefined)
    return restJson(400, errorBody(site, version, "warnings", restError("Unable to parse body", 9001)));
  const { job } = parsed.data;
  if (job.environment === undefined || job.environment === null)
    return restJson(400, frame(site, version, { errors: [{ error_code: 2127 }, { error_code: 9001 }] }));
  const workDir = job.current_working_directory ?? desk.workDir;
  const required = (job.required_nodes ?? []).flatMap((list) => expandHosts(list) ?? [list]);
  const gres = job.gres ?? job.tres_per_node?.replace(/^gres[:/]/, "") ?? "";
  const answer = submitJob(desk, {
    name: job.name,
    user: desk.user,
    account: job.account ?? "",
    ...(job.partition === undefined ? {} : { partition: job.partition }),
    required,
    nodeCount: Math.max(required.length, Number.parseInt(String(job.nodes ?? 1), 10) || 1),
    reservation: job.reservation ?? null,
    limitS: limitOf(job.time_limit),
    runS: null,
    script,
    output: job.standard_output ?? `${workDir}/slurm-%j.out`,
    workDir,
    gres,
  });
  if (answer.refused !== null) {
    const error = version === "v0.0.38" ? { error_code: answer.errno, error: answer.refused } : restError(answer.refused, answer.errno);
    return restJson(500, frame(site, version, { errors: [error] }));
  }
  return restJson(200, frame(site, version, { job_id: Number(answer.value), step_id: "BATCH", job_submit_user_msg: "" }));
}

function limitOf(limit: z.infer<typeof Minutes> | undefined): number | null {
  if (limit === undefined) return 3600;
  if (typeof limit === "object") return limit.infinite === true ? null : (limit.number ?? 60) * 60;
  return readDuration(String(limit)) ?? null;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // refused by the schema
  }
}
