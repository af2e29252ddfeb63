import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { ACTION_BYTES } from "@/lib/server/api/limits";
import { problem, refused } from "@/lib/server/api/problem";
import { readBody, readJson, utf8 } from "@/lib/server/api/read-body";
import { actOnChange } from "@/lib/services/act-on-change";

/** `{on?, choice?, reason?, version?, ...}` as the action needs; an empty body is `{}`. */
export const POST = apiRoute<{ id: string; action: string }>(async ({ deps, request, params, person }) => {
  const body = await readBody(request, ACTION_BYTES);
  if (!body.ok) return body.response;
  const text = utf8(body.bytes);
  const json =
    text === null
      ? { ok: false as const, because: "not UTF-8 text" }
      : text.trim() === ""
        ? { ok: true as const, value: {} }
        : readJson(text);
  if (!json.ok) return problem(400, "invalid", "The input is not usable", `The body is ${json.because}.`);
  const acted = await actOnChange(deps, { actor: person, changeId: params.id, action: params.action, input: json.value });
  return acted.ok ? answer({ version: acted.value.version }) : refused(acted.error);
});
