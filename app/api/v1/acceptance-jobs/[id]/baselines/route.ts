import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { EVIDENCE_BYTES } from "@/lib/server/api/limits";
import { problem, refused } from "@/lib/server/api/problem";
import { readBody, readJson, utf8 } from "@/lib/server/api/read-body";
import { recordBaseline } from "@/lib/services/record-baseline";

export const GET = apiRoute<{ id: string }>(async ({ deps, params }) => {
  const found = await deps.store.baselinesOf(params.id);
  return answer({ baselines: found.map(({ summary, ...one }) => ({ ...one, ...summary })) });
});

/** The body is JSON: where and when the runs were, and their raw outputs; at most 16 MiB. */
export const POST = apiRoute<{ id: string }>(async ({ deps, request, params, person }) => {
  const body = await readBody(request, EVIDENCE_BYTES);
  if (!body.ok) return body.response;
  const text = utf8(body.bytes);
  const read = text === null ? { ok: false as const, because: "not UTF-8 text" } : readJson(text);
  if (!read.ok) return problem(422, "invalid", "The input is not usable", `The body is ${read.because}.`);
  const recorded = await recordBaseline(deps, { actor: person, jobId: params.id, input: read.value });
  return recorded.ok ? answer(recorded.value, 201) : refused(recorded.error);
});
