import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { PLAN_BYTES } from "@/lib/server/api/limits";
import { problem, refused } from "@/lib/server/api/problem";
import { readBody, utf8 } from "@/lib/server/api/read-body";
import { saveAcceptanceJob } from "@/lib/services/save-acceptance-job";

export const GET = apiRoute(async ({ deps }) => {
  const jobs = await deps.store.acceptanceJobs();
  return answer({ jobs: jobs.map(({ id, spec, fingerprint, createdAt, authorId }) => ({ id, fingerprint, createdAt, authorId, spec })) });
});

/** The body is the job, YAML, at most 256 KiB. A version that exists with other content is refused. */
export const POST = apiRoute(async ({ deps, request, person }) => {
  const body = await readBody(request, PLAN_BYTES);
  if (!body.ok) return body.response;
  const yaml = utf8(body.bytes);
  if (yaml === null) return problem(422, "invalid", "The input is not usable", "The job is not UTF-8 text.");
  const saved = await saveAcceptanceJob(deps, { actor: person, yaml });
  return saved.ok ? answer(saved.value, 201) : refused(saved.error);
});
