import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { refused } from "@/lib/server/api/problem";
import { previewChange } from "@/lib/services/preview-change";

/** The same preview that the plan was approved with, against the inventory of now. */
export const GET = apiRoute<{ id: string }>(async ({ deps, params }) => {
  const preview = await previewChange(deps, params.id);
  return preview.ok ? answer(preview.value) : refused(preview.error);
});
