import type { Sql } from "./database";

/** SQL: how often a cluster wants a source read while something waits for it, in milliseconds. */
export const POLL_MS = (clusterId: string): string =>
  `(select coalesce((c.policy ->> 'pollMs')::float8, 5000) from clusters c where c.id = ${clusterId})`;

/** Lets these sources be read often until `until`, and soon for the first time (MODEL 5.5). */
export async function wantReads(sql: Sql, clusterId: string, sources: readonly string[], now: Date, until: Date): Promise<void> {
  if (sources.length === 0) return;
  await sql.query(
    `with wanted as (select source from source_reads where cluster_id = $1 and source = any($2) order by source for update)
     update source_reads r set wanted_until = greatest(coalesce(r.wanted_until, $4), $4),
       next_due_at = least(r.next_due_at, greatest($3, coalesce(r.started_at, $3) + ${POLL_MS("$1")} * interval '1 ms'))
     from wanted where r.cluster_id = $1 and r.source = wanted.source`,
    [clusterId, sources, now, until],
  );
}
