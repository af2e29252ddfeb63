import type { Sql } from "./database";

const APPLICATION = "clearance";
/** A queue row of another version is never picked up; our workflows are one step long, so versions need not differ. */
const WORKFLOW_VERSION = "1";

/** Rows of the workflow engine that are waiting or running: `live(queue, what)` is SQL that is true when one exists. */
export const live = (queue: string, condition: string): string =>
  `exists (select 1 from dbos.workflow_status w where w.queue_name = '${queue}' and w.status in ('ENQUEUED', 'PENDING', 'DELAYED') and ${condition})`;

type Work = {
  readonly workflow: string;
  readonly queue: string;
  readonly id: string;
  readonly args: readonly (string | number)[];
  readonly partition: string | null;
};

/** Inside our own transaction, so record and queue cannot disagree. An id that exists is not enqueued again. */
async function enqueue(sql: Sql, work: Work): Promise<void> {
  await sql.query(
    `select dbos.enqueue_workflow($1, $2, positional_args => (select coalesce(array_agg(a.value order by a.ordinality), '{}')
       from json_array_elements($3::json) with ordinality a), workflow_id => $4, app_version => $5, application_name => $6, queue_partition_key => $7)`,
    [work.workflow, work.queue, JSON.stringify(work.args), work.id, WORKFLOW_VERSION, APPLICATION, work.partition],
  );
}

export const enqueueTick = (sql: Sql, changeId: string, wakeSeq: number): Promise<void> =>
  enqueue(sql, { workflow: "tick", queue: "ticks", id: `tick/${changeId}/${wakeSeq}`, args: [changeId, wakeSeq], partition: changeId });

/** `again`: something that makes the id new when the same command is sent to the queue once more. */
export const enqueueCommand = (sql: Sql, key: string, again = ""): Promise<void> =>
  enqueue(sql, { workflow: "run", queue: "commands", id: `${key}${again}`, args: [key], partition: null });

export const enqueueMessage = (sql: Sql, id: string, channel: string, again = ""): Promise<void> =>
  enqueue(sql, { workflow: "deliver", queue: "messages", id: `message/${id}${again}`, args: [id], partition: channel });

export const enqueueRead = (sql: Sql, clusterId: string, source: string, due: string): Promise<void> =>
  enqueue(sql, {
    workflow: "observe",
    queue: "reads",
    id: `read/${clusterId}/${source}/${due}`,
    args: [clusterId, source],
    partition: `${clusterId}/${source}`,
  });
