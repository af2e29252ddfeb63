import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { problem } from "@/lib/server/api/problem";

/** `?cluster=ID`: every node with what is known of it, and from where and when. */
export const GET = apiRoute(
  async ({ deps, url }) => {
    const cluster = url.searchParams.get("cluster");
    const known = await deps.store.clusters();
    const wanted = known.filter((one) => cluster === null || one.id === cluster);
    if (wanted.length === 0)
      return problem(
        404,
        "not_found",
        "There is no such thing",
        `No cluster of the configuration is called "${(cluster ?? "").slice(0, 100)}".`,
      );
    const nodes = await Promise.all(
      wanted.map(async (one) => (await deps.store.inventory(one.id)).map((node) => ({ cluster: one.id, ...node }))),
    );
    return answer({ nodes: nodes.flat() });
  },
  ["cluster"],
);
