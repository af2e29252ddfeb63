import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { refused } from "@/lib/server/api/problem";
import { verifyNamedChain } from "@/lib/services/verify-audit";

/** The chain of a change (or of `site`), verified now: every link, every row and every piece of evidence it names. */
export const GET = apiRoute<{ id: string }>(async ({ deps, params }) => {
  const verdict = await verifyNamedChain(deps, params.id);
  return verdict.ok ? answer(verdict.value) : refused(verdict.error);
});
