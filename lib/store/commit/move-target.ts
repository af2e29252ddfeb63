import { isInHand, NODE_STEPS } from "@/lib/core/change/step";
import { rows } from "../database";
import { json, storedText } from "../stored-text";
import { Conflict, updateOne, wrote, type Apply, type Writing } from "./writing";

const IN_HAND = NODE_STEPS.filter(isInHand);

export const moveTarget: Apply<"target"> = async (w, move) => {
  if (isInHand(move.to)) await takeHand(w);
  await updateOne(
    w,
    `target ${move.id} in step ${move.from}`,
    `update targets set step = $3::node_step, aim = $4::target_aim, stage = $5, generation = $6, deadline_at = $7, because = $8,
       step_since = case when step <> $3::node_step or stage <> $5 or generation <> $6 then $9 else step_since end,
       update_began = case when $3::node_step = 'waiting' then false when $3::node_step = 'updating' and mode = 'update' then true else update_began end
     where id = $1 and step = $2::node_step and change_id = $10`,
    [move.id, move.from, move.to, move.aim, move.stage, move.generation, move.deadlineAt, storedText(move.because), w.at, w.changeId],
  );
  wrote(w, "targets", move.id);
};

/** One change at a time has nodes of a cluster under way (R6.5). Somebody else took the hand since the snapshot: decide again. */
async function takeHand(w: Writing): Promise<void> {
  await w.sql.query("insert into hands (cluster_id, change_id, since) values ($1, $2, $3) on conflict (cluster_id) do nothing", [
    w.clusterId,
    w.changeId,
    w.at,
  ]);
  const [hand] = await rows<{ change_id: string }>(w.sql, "select change_id from hands where cluster_id = $1 for update", [w.clusterId]);
  if (hand?.change_id !== w.changeId) throw new Conflict("the cluster's hand");
}

/** Once nothing of the change is under way any more its hand is free. Returns the changes that may have waited for it. */
export async function giveBackHand(w: Writing): Promise<readonly string[]> {
  const freed = await rows(
    w.sql,
    `delete from hands h where h.change_id = $1 and not exists (select 1 from targets t where t.change_id = $1 and t.step = any($2::node_step[])) returning h.cluster_id`,
    [w.changeId, IN_HAND],
  );
  if (freed.length === 0) return [];
  const waiting = await rows<{ id: string }>(w.sql, "select id from changes where cluster_id = $1 and ended_at is null and id <> $2", [
    w.clusterId,
    w.changeId,
  ]);
  return waiting.map((change) => change.id);
}

export const moveDeadline: Apply<"deadline"> = async (w, move) => {
  const values = [move.targetId, move.deadlineAt, storedText(move.because), w.changeId];
  await updateOne(
    w,
    `target ${move.targetId}`,
    "update targets set deadline_at = $2, because = $3 where id = $1 and change_id = $4",
    values,
  );
  wrote(w, "targets", move.targetId);
};

export const moveRole: Apply<"role"> = async (w, move) => {
  const values = [move.targetId, move.role, w.changeId];
  await updateOne(w, `target ${move.targetId}`, "update targets set role = $2::target_role where id = $1 and change_id = $3", values);
  wrote(w, "targets", move.targetId);
};

export const moveSaved: Apply<"saved"> = async (w, move) => {
  await updateOne(
    w,
    `target ${move.targetId}`,
    `update targets set saved = (select coalesce(jsonb_agg(c || coalesce((select jsonb_build_object('savedVersion', n.value -> 'savedVersion')
       from jsonb_array_elements($2::jsonb) n where n.value ->> 'name' = c ->> 'name'), '{}') order by i), '[]')
     from jsonb_array_elements(coalesce(saved, '[]')) with ordinality as x (c, i)) where id = $1 and change_id = $3`,
    [move.targetId, json(move.components), w.changeId],
  );
  wrote(w, "targets", move.targetId);
};

export const movePrior: Apply<"prior"> = async (w, move) => {
  const values = [move.targetId, json(move.service), w.changeId];
  await updateOne(w, `target ${move.targetId}`, "update targets set prior = $2 where id = $1 and change_id = $3", values);
  wrote(w, "targets", move.targetId);
};

export const moveInvestigator: Apply<"investigator"> = async (w, move) => {
  const values = [move.targetId, move.personId, w.changeId];
  await updateOne(w, `target ${move.targetId}`, "update targets set investigator_id = $2 where id = $1 and change_id = $3", values);
  wrote(w, "targets", move.targetId);
};

export const moveReleasedTo: Apply<"released_to"> = async (w, move) => {
  const values = [move.targetId, move.personId, storedText(move.ticket), w.changeId];
  await updateOne(
    w,
    `target ${move.targetId}`,
    "update targets set released_to_id = $2, ticket = $3 where id = $1 and change_id = $4",
    values,
  );
  wrote(w, "targets", move.targetId);
};
