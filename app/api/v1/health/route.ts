import { answer } from "@/lib/server/api/answer";
import { wired } from "@/lib/server/wired";

/** The one thing besides the sign-in page that anybody may see. Says whether it works, and nothing about what it works on. */
export async function GET(): Promise<Response> {
  const { deps } = await wired();
  const health = await deps.store.health().catch((cause: unknown) => {
    deps.log.error({ because: cause instanceof Error ? cause.message : String(cause) }, "the database did not say how it is");
    return null;
  });
  if (health === null) return answer({ status: "no_database", database: "unreachable" }, 503);
  const alive = health.workers.filter((worker) => worker.alive).length;
  return answer({ status: alive > 0 ? "ok" : "no_worker", database: "ok", workers: alive, now: health.now }, alive > 0 ? 200 : 503);
}
