import type { Clock } from "@/lib/ports/clock";
import { row, type Sql } from "./database";

/** The database's clock, for every process the same (DESIGN: one clock). */
export const databaseClock = (sql: Sql): Clock => ({
  now: async () => (await row<{ now: Date }>(sql, "select clearance_now() as now"))?.now ?? missing(),
  factor: async () => (await row<{ factor: number }>(sql, "select factor from clock"))?.factor ?? 1,
});

const missing = (): never => {
  throw new Error("the database has no clock: its migrations have not run");
};

/**
 * Demo only: from now on shown time runs `factor` times as fast, after a jump of `jumpMs`. Time goes on from where it is, and never back.
 * A factor outside 1 to 60 is refused by the database: a freshness of 60 s would be less than one real second.
 */
export async function setClock(sql: Sql, { factor, jumpMs = 0 }: { readonly factor: number; readonly jumpMs?: number }): Promise<void> {
  await sql.query(
    `update clock set shown_epoch = extract(epoch from clearance_now()) + greatest($2, 0) / 1000.0, real_epoch = extract(epoch from clock_timestamp()), factor = $1`,
    [factor, jumpMs],
  );
}

/** Outside the demo shown time is real time. */
export async function useRealTime(sql: Sql): Promise<void> {
  await sql.query(
    `update clock set factor = 1, shown_epoch = extract(epoch from clock_timestamp()), real_epoch = extract(epoch from clock_timestamp())
     where factor <> 1 or shown_epoch <> real_epoch`,
  );
}
