import { apiRoute } from "@/lib/server/api/api-route";
import { problem } from "@/lib/server/api/problem";

/** The bytes as they came (after redaction). Never rendered: always a download, whatever they claim to be. */
export const GET = apiRoute<{ sha: string }>(async ({ deps, params }) => {
  const found = /^[0-9a-f]{64}$/.test(params.sha) ? await deps.store.evidence(params.sha) : null;
  if (found === null) return problem(404, "not_found", "There is no such thing", "No evidence has this SHA-256.");
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="${params.sha}.txt"`,
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=31536000, immutable",
  };
  return new Response(Buffer.from(found.bytes), { headers });
});
