import { rows } from "../database";
import { enqueueMessage } from "../enqueue";
import { json, storedText } from "../stored-text";
import { newId, updateOne, wrote, type Apply, type Writing } from "./writing";

const change = async (w: Writing, set: string, values: readonly unknown[]): Promise<void> => {
  await updateOne(w, "the change", `update changes set ${set} where id = $1`, [w.changeId, ...values]);
  wrote(w, "changes", w.changeId);
};

export const moveChange: Apply<"change"> = async (w, move) => {
  await change(
    w,
    `state = $2::change_state, outcome = $3::change_outcome, started_at = case when $2 = 'IN_PROGRESS' then coalesce(started_at, $4) else started_at end,
     ended_at = case when $2 in ('COMPLETED', 'DEGRADED') then $4 else null end`,
    [move.to, move.outcome, w.at],
  );
  if (move.to !== "COMPLETED" && move.to !== "DEGRADED") return;
  await w.sql.query("update wakes set active = false where change_id = $1", [w.changeId]);
  const over = await rows<{ id: string }>(w.sql, "update targets set over = true where change_id = $1 returning id", [w.changeId]);
  for (const { id } of over) wrote(w, "targets", id);
};

export const moveCount: Apply<"count"> = (w, { rollback }) =>
  change(w, "failed_batches = $2, streak = $3, committed_at = $4", [rollback.failedBatches, rollback.streak, rollback.committedAt]);

export const moveAskCanaries: Apply<"ask_canaries"> = (w) => change(w, "canaries_asked_for = true", []);

export const movePreflight: Apply<"preflight"> = (w, move) => change(w, "preflight_passed_at = $2", [move.passedAt]);

export const moveOwner: Apply<"owner"> = (w, move) => change(w, "owner_id = $2", [move.to]);

/** The definition was set or confirmed by a person; whether it agrees is read back. */
export const moveConfirmedDefinition: Apply<"confirmed_definition"> = async (w) => {
  const [place] = await rows<{ subject_id: number }>(
    w.sql,
    `insert into places (change_id, subject_id, field, aim, set_at) select $1, s.id, 'cluster_definition', 'goal', $3 from subjects s
       where s.cluster_id = $2 and s.kind = 'cluster'
     on conflict (change_id, subject_id, field) do update set aim = 'goal', set_at = excluded.set_at, read_back_at = null returning subject_id`,
    [w.changeId, w.clusterId, w.at],
  );
  if (place !== undefined) wrote(w, "places", w.changeId, place.subject_id, "cluster_definition");
};

/** One row of the outbox, delivered by the webhook; the same key is told once. */
export const moveMessage: Apply<"message"> = async (w, move) => {
  const id = newId();
  const dedupKey = `${w.changeId}/${move.key}`;
  const notice = { id, dedupKey, urgency: move.urgency, changeId: w.changeId, title: move.title, text: move.text, at: w.at.toISOString() };
  const written = await w.sql.query(
    `insert into messages (id, dedup_key, channel, body, next_try_at, created_at) values ($1, $2, $3, $4, $5, $5) on conflict (channel, dedup_key) do nothing`,
    [id, storedText(dedupKey), CHANNEL, json(notice), w.at],
  );
  if (written.rowCount === 0) return;
  wrote(w, "messages", id);
  await enqueueMessage(w.sql, id, CHANNEL);
};
const CHANNEL = "webhook";

/** Owed once per change; a second reason changes nothing about when it is due. */
export const movePostMortem: Apply<"post_mortem"> = async (w, move) => {
  await w.sql.query(
    "insert into post_mortems (change_id, owner_id, opened_at, due_at, trigger) values ($1, $2, $3, $4, $5) on conflict (change_id) do nothing",
    [w.changeId, move.ownerId, w.at, move.dueAt, storedText(move.trigger)],
  );
  wrote(w, "post_mortems", w.changeId);
};
