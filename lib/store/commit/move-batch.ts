import { rows } from "../database";
import { updateOne, wrote, type Apply, type Writing } from "./writing";

export const moveBatch: Apply<"batch"> = async (w, move) => {
  await updateOne(
    w,
    `batch ${move.number}`,
    `update batches set state = $3::batch_state, not_before = $4, started_at = case when $3::batch_state = 'running' then coalesce(started_at, $5) else started_at end,
       ended_at = case when $3::batch_state in ('succeeded', 'failed', 'withdrawn') then coalesce(ended_at, $5) when $3::batch_state = 'running' then null else ended_at end
     where change_id = $1 and number = $2`,
    [w.changeId, move.number, move.to, move.notBefore, w.at],
  );
  wrote(w, "batches", w.changeId, move.number);
};

export const moveAskBatch: Apply<"ask_batch"> = async (w, move) => {
  await updateOne(w, `batch ${move.number}`, "update batches set asked_for = true where change_id = $1 and number = $2", [
    w.changeId,
    move.number,
  ]);
  wrote(w, "batches", w.changeId, move.number);
};

/** What did not fit follows the batch it belongs to, and was asked for with it (R6.3). */
export const moveExtraBatch: Apply<"extra_batch"> = async (w, move) => {
  await w.sql.query(
    `insert into batches (change_id, number, extra_of, asked_for) select $1, $2, number, asked_for from batches where change_id = $1 and number = $3`,
    [w.changeId, move.number, move.extraOf],
  );
  await putInto(w, move.number, move.targets);
};

export const moveRetryBatch: Apply<"retry_batch"> = async (w, move) => {
  await w.sql.query("insert into batches (change_id, number) values ($1, $2)", [w.changeId, move.number]);
  await putInto(w, move.number, move.targets);
};

async function putInto(w: Writing, number: number, targets: readonly string[]): Promise<void> {
  wrote(w, "batches", w.changeId, number);
  const put = await rows<{ id: string }>(w.sql, "update targets set batch = $2 where change_id = $1 and id = any($3) returning id", [
    w.changeId,
    number,
    targets,
  ]);
  if (put.length !== targets.length) throw new Error(`${w.changeId}: batch ${number} names targets that are not in the record`);
  for (const { id } of put) wrote(w, "targets", id);
}
