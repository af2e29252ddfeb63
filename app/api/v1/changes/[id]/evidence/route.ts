import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { EVIDENCE_BYTES } from "@/lib/server/api/limits";
import { refused } from "@/lib/server/api/problem";
import { readBody } from "@/lib/server/api/read-body";
import { uploadEvidence } from "@/lib/services/upload-evidence";

/** `?check=ID&parser=NAME&at=INSTANT`; the body is the raw output, at most 16 MiB. */
export const POST = apiRoute<{ id: string }>(
  async ({ deps, request, params, person, url }) => {
    const body = await readBody(request, EVIDENCE_BYTES);
    if (!body.ok) return body.response;
    const kept = await uploadEvidence(deps, {
      actor: person,
      changeId: params.id,
      checkId: url.searchParams.get("check") ?? "",
      parser: url.searchParams.get("parser"),
      at: url.searchParams.get("at"),
      bytes: body.bytes,
    });
    return kept.ok ? answer(kept.value, 201) : refused(kept.error);
  },
  ["check", "parser", "at"],
);
