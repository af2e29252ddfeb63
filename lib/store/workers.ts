import type { Store } from "@/lib/ports/store";
import type { WorkerRegistry } from "@/lib/ports/worker-registry";
import { row, rows, transact, type Database } from "./database";

/** Older than this a worker counts as gone on the health page; the take-over has its own limit. */
const ALIVE_MS = 20_000;

/** Beats are real time: they say whether a process lives, not what the demo's clock shows. */
export const workerRegistry = ({ pool }: Database): WorkerRegistry => ({
  beat: async ({ id, host, release }) => {
    await pool.query(
      `insert into workers (id, host, release, started_at, beat_at) values ($1, $2, $3, clock_timestamp(), clock_timestamp())
       on conflict (id) do update set beat_at = excluded.beat_at, stopped_at = null`,
      [id, host, release],
    );
  },
  stopped: async (id) => {
    await pool.query("update workers set stopped_at = clock_timestamp() where id = $1", [id]);
  },
  takeOver: (silentMs, resume) =>
    transact(pool, async (sql) => {
      const lock = await row<{ mine: boolean }>(sql, "select pg_try_advisory_xact_lock(hashtext('clearance.watch')) as mine");
      if (!lock?.mine) return 0;
      const left = await rows<{ workflow_uuid: string; queue_name: string }>(
        sql,
        `select w.workflow_uuid, w.queue_name from dbos.workflow_status w where w.status = 'PENDING' and w.queue_name is not null
         and not exists (select 1 from workers k where k.id = w.executor_id and k.stopped_at is null and k.beat_at > clock_timestamp() - $1 * interval '1 ms')`,
        [silentMs],
      );
      const byQueue = new Map<string, string[]>();
      for (const { queue_name, workflow_uuid } of left) byQueue.set(queue_name, [...(byQueue.get(queue_name) ?? []), workflow_uuid]);
      for (const [queue, ids] of byQueue) await resume(queue, ids);
      return left.length;
    }),
});

export const health = ({ pool }: Database): Pick<Store, "health"> => ({
  health: async () => {
    const workers = await rows<{ id: string; beat_at: Date; alive: boolean }>(
      pool,
      `select id, beat_at, stopped_at is null and beat_at > clock_timestamp() - ${ALIVE_MS} * interval '1 ms' as alive from workers
       where beat_at > clock_timestamp() - interval '1 day' order by beat_at desc limit 50`,
    );
    const clock = await row<{ now: Date }>(pool, "select clearance_now() as now");
    return {
      database: "ok",
      workers: workers.map((w) => ({ id: w.id, beatAt: w.beat_at, alive: w.alive })),
      now: clock?.now ?? new Date(0),
    };
  },
});
