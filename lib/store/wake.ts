import { rows, type Sql } from "./database";
import { enqueueTick } from "./enqueue";

/** A wish for a look at these changes, and its tick, in the caller's transaction (MODEL 5.2). Ended changes are left alone. */
export async function wake(sql: Sql, changeIds: readonly string[]): Promise<void> {
  if (changeIds.length === 0) return;
  const woken = await rows<{ change_id: string; wake_seq: number }>(
    sql,
    `with due as (select change_id from wakes where change_id = any($1) and active order by change_id for update)
     update wakes w set wake_seq = w.wake_seq + 1 from due where w.change_id = due.change_id returning w.change_id, w.wake_seq`,
    [changeIds],
  );
  for (const { change_id, wake_seq } of woken) await enqueueTick(sql, change_id, wake_seq);
}

/** Changes under way that have a target among these subjects; all of a cluster when its own subject is among them. */
export async function changesTouching(sql: Sql, clusterId: string, subjectIds: readonly number[]): Promise<readonly string[]> {
  if (subjectIds.length === 0) return [];
  const found = await rows<{ id: string }>(
    sql,
    `select c.id from changes c where c.cluster_id = $1 and c.ended_at is null and (
       exists (select 1 from targets t where t.change_id = c.id and t.subject_id = any($2))
       or exists (select 1 from subjects s where s.id = any($2) and s.kind = 'cluster')) order by c.id`,
    [clusterId, subjectIds],
  );
  return found.map((change) => change.id);
}
