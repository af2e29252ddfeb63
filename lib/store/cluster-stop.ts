import { randomUUID } from "node:crypto";
import type { PersonId } from "@/lib/core/kernel/ids";
import { err, ok } from "@/lib/core/kernel/result";
import type { Store } from "@/lib/ports/store";
import { appendAudit } from "./append-audit";
import { SITE_CHAIN } from "./changes";
import { row, rows, transact, type Database, type Sql } from "./database";
import { rowRef } from "./row-hashes";
import { bytesOf, storedText } from "./stored-text";
import { wake } from "./wake";

type Stopping = Pick<Store, "stopCluster" | "liftStop" | "clusterStop">;
type Said = { readonly clusterId: string; readonly by: PersonId; readonly reason: string; readonly at: Date };

/** A hold that belongs to no change holds every change of its cluster (R7.6). */
export const clusterStop = ({ pool, hash }: Database): Stopping => ({
  stopCluster: (clusterId, by, reason, at) =>
    transact(pool, async (sql) => {
      const said = { clusterId, by, reason, at };
      if (!(await lockCluster(sql, clusterId))) return err({ code: "unknown_cluster" as const });
      if ((await openStop(sql, clusterId)) !== null) return err({ code: "already_stopped" as const });
      const decision = await decide(
        sql,
        said,
        { kind: "hold", choice: "stop_all", permits: "No change of this cluster begins anything." },
        hash(reason),
      );
      const id = randomUUID();
      await sql.query(
        "insert into holds (id, cluster_id, change_id, decision_id, kind, because, owner_id, since) values ($1, $2, null, $3, 'stop_all', $4, $5, $6)",
        [id, clusterId, decision, storedText(reason), by, at],
      );
      await tell(sql, said, "cluster.stopped", [rowRef("decisions", decision), rowRef("holds", id)]);
      return ok(undefined);
    }),

  liftStop: (clusterId, by, reason, at) =>
    transact(pool, async (sql) => {
      const said = { clusterId, by, reason, at };
      if (!(await lockCluster(sql, clusterId))) return err({ code: "unknown_cluster" as const });
      const stop = await openStop(sql, clusterId);
      if (stop === null) return err({ code: "not_stopped" as const });
      const decision = await decide(
        sql,
        said,
        { kind: "hold_release", choice: "lift", permits: "Changes of this cluster go on." },
        hash(reason),
      );
      await sql.query("update holds set released_at = $2, released_by_id = $3, release_reason = $4 where id = $1", [
        stop.id,
        at,
        by,
        storedText(reason),
      ]);
      await tell(sql, said, "cluster.stop_lifted", [rowRef("decisions", decision), rowRef("holds", stop.id)]);
      return ok(undefined);
    }),

  clusterStop: async (clusterId) => {
    const stop = await openStop(pool, clusterId);
    return stop && { ownerId: stop.owner_id, because: stop.because, since: stop.since };
  },
});

const lockCluster = async (sql: Sql, clusterId: string): Promise<boolean> =>
  (await row(sql, "select 1 from clusters where id = $1 for update", [clusterId])) !== null;

const openStop = (sql: Sql, clusterId: string): Promise<{ id: string; owner_id: PersonId; because: string; since: Date } | null> =>
  row(
    sql,
    "select id, owner_id, because, since from holds where cluster_id = $1 and change_id is null and released_at is null order by since limit 1",
    [clusterId],
  );

type Choice = { readonly kind: "hold" | "hold_release"; readonly choice: string; readonly permits: string };

async function decide(sql: Sql, said: Said, { kind, choice, permits }: Choice, fingerprint: string): Promise<string> {
  const id = randomUUID();
  await sql.query(
    `insert into decisions (id, cluster_id, change_id, kind, on_what, on_id, choice, permits, reason, fingerprint, by_id, at)
     values ($1, $2, null, $3, 'cluster', $2, $4, $5, $6, $7, $8, $9)`,
    [id, said.clusterId, kind, choice, permits, storedText(said.reason), bytesOf(fingerprint), said.by, said.at],
  );
  return id;
}

async function tell(sql: Sql, said: Said, action: string, refs: readonly string[]): Promise<void> {
  const entry = { action, targetId: null, because: said.reason, facts: { cluster: said.clusterId } };
  await appendAudit(sql, { chain: SITE_CHAIN, at: said.at, actor: said.by }, [entry], new Set(refs));
  const open = await rows<{ id: string }>(sql, "select id from changes where cluster_id = $1 and ended_at is null order by id", [
    said.clusterId,
  ]);
  await wake(
    sql,
    open.map((change) => change.id),
  );
}
