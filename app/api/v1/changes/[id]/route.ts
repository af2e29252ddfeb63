import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { refused } from "@/lib/server/api/problem";
import { showChange } from "@/lib/services/show-change";

export const GET = apiRoute<{ id: string }>(async ({ deps, params }) => {
  const shown = await showChange(deps, params.id);
  return shown.ok ? answer(shown.value) : refused(shown.error);
});
