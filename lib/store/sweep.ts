import type { Store } from "@/lib/ports/store";
import { rows, transact, type Database, type Sql } from "./database";
import { enqueueCommand, enqueueMessage, enqueueRead, live } from "./enqueue";
import { wake } from "./wake";

/** The belt beside enqueueing in every transaction: whatever the record says is due and no queue holds is put into one again (MODEL 5.1). */
export const sweep =
  ({ pool }: Database): Store["sweep"] =>
  (now) =>
    transact(pool, async (sql) => {
      // One sweep at a time over all workers; the others find nothing to do anyway.
      const [lock] = await rows<{ mine: boolean }>(sql, "select pg_try_advisory_xact_lock(hashtext('clearance.sweep')) as mine");
      if (!lock?.mine) return { ticks: 0, commands: 0, reads: 0, messages: 0 };
      const again = `~${now.getTime()}`;
      return {
        ticks: await sweepTicks(sql, now),
        commands: await sweepCommands(sql, again),
        reads: await sweepReads(sql, now),
        messages: await sweepMessages(sql, now, again),
      };
    });

async function sweepTicks(sql: Sql, now: Date): Promise<number> {
  const due = await rows<{ change_id: string }>(
    sql,
    `select k.change_id from wakes k where k.active and (k.next_due_at <= $1 or k.wake_seq > k.ticked_seq)
     and not ${live("ticks", "w.queue_partition_key = k.change_id")}`,
    [now],
  );
  await wake(
    sql,
    due.map((wanted) => wanted.change_id),
  );
  return due.length;
}

const OF_COMMAND = "(w.workflow_uuid = c.key or starts_with(w.workflow_uuid, c.key || '~'))";

/**
 * Those with a handle are watched by the reads, not performed again; but a run that broke off may have stored the handle without having acted (a reboot's
 * is stored first), so it is begun again: whatever has a handle finds what it began, and does it only where it was not done.
 */
async function sweepCommands(sql: Sql, again: string): Promise<number> {
  const unsent = await rows<{ key: string }>(
    sql,
    `select c.key from commands c join changes ch on ch.id = c.change_id
     where c.finished_at is null and ch.execution = 'automatic' and not ${live("commands", OF_COMMAND)}
     and (c.handle is null or (select w.status from dbos.workflow_status w where w.queue_name = 'commands' and ${OF_COMMAND}
       order by w.created_at desc limit 1) is distinct from 'SUCCESS') order by c.key`,
  );
  for (const { key } of unsent) await enqueueCommand(sql, key, again);
  return unsent.length;
}

async function sweepReads(sql: Sql, now: Date): Promise<number> {
  const due = await rows<{ cluster_id: string; source: string }>(
    sql,
    `select r.cluster_id, r.source from source_reads r join clusters c on c.id = r.cluster_id
     where r.next_due_at <= $1 and c.retired_at is null and not ${live("reads", "w.queue_partition_key = r.cluster_id || '/' || r.source")}`,
    [now],
  );
  for (const { cluster_id, source } of due) await enqueueRead(sql, cluster_id, source, now.toISOString());
  return due.length;
}

async function sweepMessages(sql: Sql, now: Date, again: string): Promise<number> {
  const waiting = await rows<{ id: string; channel: string }>(
    sql,
    `select m.id, m.channel from messages m where m.state = 'waiting' and m.next_try_at <= $1
     and not ${live("messages", "(w.workflow_uuid = 'message/' || m.id or starts_with(w.workflow_uuid, 'message/' || m.id || '~'))")}`,
    [now],
  );
  for (const { id, channel } of waiting) await enqueueMessage(sql, id, channel, again);
  return waiting.length;
}
