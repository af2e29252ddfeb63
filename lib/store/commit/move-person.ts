import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { bytesOf, json, storedText } from "../stored-text";
import { updateOne, wrote, type Apply } from "./writing";

export const moveDecision: Apply<"decision"> = async (w, move) => {
  await w.sql.query(
    `insert into decisions (id, cluster_id, change_id, kind, on_what, on_id, check_id, choice, permits, facts, reason, fingerprint, by_id, at, until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      move.id,
      w.clusterId,
      w.changeId,
      move.kind,
      move.on.what,
      storedText(move.on.id),
      move.checkId,
      storedText(move.choice),
      storedText(move.permits),
      json(move.facts),
      storedText(move.reason),
      bytesOf(move.fingerprint),
      move.byId,
      w.at,
      move.until,
    ],
  );
  wrote(w, "decisions", move.id);
};

/** A booking, moved or dropped under the same id. */
export const moveWindow: Apply<"window"> = async (w, move) => {
  await w.sql.query(
    `insert into windows as x (id, cluster_id, change_id, title, starts_at, ends_at, timezone, state, booked_by_id)
     select $1, cluster_id, id, title, $3, $4, $5, $6::window_state, $7 from changes where id = $2
     on conflict (id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at, timezone = excluded.timezone, state = excluded.state, version = x.version + 1
       where x.change_id = excluded.change_id`,
    [move.id, w.changeId, move.startsAt, move.endsAt, move.timezone, move.state, move.byId],
  );
  wrote(w, "windows", move.id);
};

export const moveOffer: Apply<"offer"> = async (w, move) => {
  await w.sql.query(
    "insert into handoffs (id, change_id, from_id, to_id, offered_at, expires_at, page, fingerprint) values ($1, $2, $3, $4, $5, $6, '{}', $7)",
    [move.id, w.changeId, move.by, move.to, w.at, move.expiresAt, bytesOf(w.hash(canonicalJson({})))],
  );
  wrote(w, "handoffs", move.id);
};

export const moveAnswerOffer: Apply<"answer_offer"> = async (w, move) => {
  await updateOne(
    w,
    `open offer ${move.id}`,
    "update handoffs set answered_at = $2, answer = $3, answered_by_id = $4 where id = $1 and change_id = $5 and answered_at is null",
    [move.id, w.at, move.answer, move.byId, w.changeId],
  );
  wrote(w, "handoffs", move.id);
};

/** Execution manual: the same end a worker would have written. */
export const moveCommandDone: Apply<"command_done"> = async (w, move) => {
  const state = { done: "succeeded", already: "succeeded", failed: "failed", unknown: "unknown" }[move.outcome.result];
  await updateOne(
    w,
    `open command ${move.key}`,
    `update commands set state = $2::command_state, outcome = $3, finished_at = $4, started_at = coalesce(started_at, $4), worker = $5, attempt = attempt + 1,
       evidence_sha = (select sha256 from evidence where sha256 = $7) where key = $1 and change_id = $6 and finished_at is null`,
    [move.key, state, json(move.outcome), w.at, move.byId, w.changeId, move.outcome.outputSha ? bytesOf(move.outcome.outputSha) : null],
  );
  wrote(w, "commands", move.key);
};
