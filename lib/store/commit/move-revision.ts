import { goalOf, profileOf } from "@/lib/core/plan/goal";
import { row, rows } from "../database";
import { goalColumns, placeTargets, plannedNodes, planFindings } from "../place-targets";
import { bytesOf, json, storedText } from "../stored-text";
import { openFinding } from "./move-stop";
import { wrote, type Apply, type MoveOf, type Writing } from "./writing";

/** A new revision of the plan: what it says of targets that were not begun replaces what was there; everything begun stays (R4.2). */
export const moveRevision: Apply<"revision"> = async (w, move) => {
  await writePlan(w, move);
  await replan(w, move);
  const old = await rows<{ id: string }>(
    w.sql,
    "update findings set closed_at = $2, closed_because = $3 where change_id = $1 and kind = 'plan' and closed_at is null returning id",
    [w.changeId, w.at, `revision ${move.revision} replaced the plan it was found in`],
  );
  const opened = [];
  for (const finding of planFindings(w.changeId, move.revision, move.layout)) opened.push(await openFinding(w, finding));
  for (const id of [...old.map((finding) => finding.id), ...opened]) if (id !== null) wrote(w, "findings", id);
};

async function writePlan(w: Writing, move: MoveOf<"revision">): Promise<void> {
  const { plan } = move;
  await w.sql.query(
    `insert into plans (change_id, revision, yaml, parsed, preview, fingerprint, standing_fingerprint, author_id, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      w.changeId,
      move.revision,
      storedText(move.yaml),
      json(plan),
      json(move.layout),
      bytesOf(move.fingerprint),
      bytesOf(move.standingFingerprint),
      move.byId,
      w.at,
    ],
  );
  const [goal, goalText] = goalColumns(goalOf(plan));
  const cluster = await row<{ disposable: boolean }>(w.sql, "select disposable from clusters where id = $1", [w.clusterId]);
  await w.sql.query(
    `update changes set plan_revision = $2, fingerprint = $3, title = $4, ticket = $5, type = $6, urgency = $7, execution = $8, advance = $9, goal = $10, goal_text = $11,
       profile = $12, people = $13 where id = $1`,
    [
      w.changeId,
      move.revision,
      bytesOf(move.fingerprint),
      storedText(plan.title),
      plan.ticket,
      plan.type,
      plan.urgency,
      plan.execution,
      plan.advance,
      goal,
      goalText,
      profileOf(plan, cluster?.disposable ?? false),
      json(plan.people),
    ],
  );
  wrote(w, "plans", w.changeId, move.revision);
  wrote(w, "changes", w.changeId);
}

/** Batches that hold only targets not begun are replaced; numbers of those that stay are kept, and new ones follow them. */
async function replan(w: Writing, move: MoveOf<"revision">): Promise<void> {
  const { plan, layout } = move;
  const planned = layout.batches.flatMap((batch) => batch.nodes.map((node) => node.name));
  const before = await targetsOf(w);
  await leaveOut(w, planned);
  await takeBack(w, planned);
  const staying = (await targetsOf(w)).filter((target) => target.step !== "waiting");
  const keep = new Set(staying.map((target) => target.name));
  const nodes = await plannedNodes(w.sql, w.clusterId, layout);
  const firstNumber = staying.length === 0 ? OUT_OF_THE_WAY : 1 + Math.max(...before.map((target) => target.batch));
  const placed = await placeTargets(w, { plan, layout, nodes, keep, firstNumber });
  await w.sql.query(
    "delete from batches b where b.change_id = $1 and not exists (select 1 from targets t where t.change_id = $1 and t.batch = b.number)",
    [w.changeId],
  );
  const numbers = firstNumber === OUT_OF_THE_WAY ? await renumber(w, placed.batches) : placed.batches;
  // Rows that went are named too: the newest line then says that there is nothing any more.
  for (const number of [...before.map((target) => target.batch), ...numbers]) wrote(w, "batches", w.changeId, number);
  for (const id of [...before.map((target) => target.id), ...placed.targets]) wrote(w, "targets", id);
}

const targetsOf = (w: Writing): Promise<{ id: string; name: string; step: string; batch: number }[]> =>
  rows(w.sql, "select id, name, step, batch from targets where change_id = $1", [w.changeId]);

/** Where new batches are written before the old ones with the same numbers are gone. */
const OUT_OF_THE_WAY = 1_000_001;

async function renumber(w: Writing, batches: readonly number[]): Promise<readonly number[]> {
  const shift = OUT_OF_THE_WAY - 1;
  await w.sql.query(
    "insert into batches (change_id, number, state) select $1, number - $2, state from batches where change_id = $1 and number > $2",
    [w.changeId, shift],
  );
  await w.sql.query("update targets set batch = batch - $2 where change_id = $1 and batch > $2", [w.changeId, shift]);
  await w.sql.query("delete from batches where change_id = $1 and number > $2", [w.changeId, shift]);
  return batches.map((number) => number - shift);
}

/** Nodes the plan no longer names: never touched, so their rows go, unless something in the record speaks of them. */
async function leaveOut(w: Writing, planned: readonly string[]): Promise<void> {
  const gone = "change_id = $1 and step = 'waiting' and not (name = any($2))";
  await w.sql.query(
    `delete from targets t where ${gone} and not exists (select 1 from checks c where c.target_id = t.id)
     and not exists (select 1 from commands c where c.target_id = t.id) and not exists (select 1 from obligations o where o.target_id = t.id)`,
    [w.changeId, planned],
  );
  await w.sql.query(`update targets set step = 'skipped', step_since = $3, because = $4 where ${gone}`, [
    w.changeId,
    planned,
    w.at,
    UNNAMED,
  ]);
}
const UNNAMED = "the plan no longer names it";

/** Named again by a later revision. */
async function takeBack(w: Writing, planned: readonly string[]): Promise<void> {
  await w.sql.query(
    "update targets set step = 'waiting', step_since = $3, because = null where change_id = $1 and step = 'skipped' and because = $4 and name = any($2)",
    [w.changeId, planned, w.at, UNNAMED],
  );
}
