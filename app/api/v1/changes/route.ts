import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { PLAN_BYTES } from "@/lib/server/api/limits";
import { problem, refused } from "@/lib/server/api/problem";
import { readBody, utf8 } from "@/lib/server/api/read-body";
import { createChange } from "@/lib/services/create-change";
import { listChanges } from "@/lib/services/list-changes";

/** `?cluster=` and `?open=true` narrow the list; newest first, at most 500. */
export const GET = apiRoute(
  async ({ deps, url }) => {
    const open = url.searchParams.get("open");
    if (open !== null && open !== "true" && open !== "false")
      return problem(400, "invalid", "The input is not usable", "?open is true or false.", ["?open: true or false"]);
    const wanted = { clusterId: url.searchParams.get("cluster"), open: open === null ? null : open === "true" };
    return answer({ changes: await listChanges(deps, wanted) });
  },
  ["cluster", "open"],
);

/** The body is the plan, YAML, at most 256 KiB. */
export const POST = apiRoute(async ({ deps, request, person }) => {
  const body = await readBody(request, PLAN_BYTES);
  if (!body.ok) return body.response;
  const yaml = utf8(body.bytes);
  if (yaml === null) return problem(422, "invalid", "The input is not usable", "The plan is not UTF-8 text.");
  const made = await createChange(deps, { actor: person, yaml });
  return made.ok ? answer({ id: made.value.changeId }, 201) : refused(made.error);
});
