import { RunContext, type RunMeasurement } from "@/lib/core/acceptance/run";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { rows } from "../database";
import { bytesOf, json, storedText } from "../stored-text";
import { summaryOf } from "./baseline-summary";
import { newId, wrote, type Apply } from "./writing";

/** What the reviewer signs, frozen with its fingerprint. */
export const moveReport: Apply<"report"> = async (w, { report }) => {
  const id = `${w.changeId}/report/${report.classId}/${report.number}`;
  await w.sql.query(
    "insert into reports (id, change_id, class_id, number, body, fingerprint, created_at) values ($1, $2, $3, $4, $5, $6, $7)",
    [id, w.changeId, report.classId, report.number, json(report), bytesOf(w.hash(canonicalJson(report))), w.at],
  );
  wrote(w, "reports", id);
};

/** Runs from before, summarised. Results never edit a baseline: another one is another row (R3.3). */
export const moveBaseline: Apply<"baseline"> = async (w, move) => {
  const found = await rows<BaselineRun>(
    w.sql,
    `select r.id, r.context, (select coalesce(json_agg(json_build_object('metric', m.metric, 'bucket', m.bucket, 'placement', m.placement, 'value', m.value, 'unit', m.unit)
       order by m.metric, m.bucket, m.placement), '[]') from measurements m where m.run_id = r.id) as measurements
     from runs r where r.id = any($1) order by r.repeat, r.id`,
    [move.runIds],
  );
  if (found.length !== new Set(move.runIds).size || found.length === 0)
    throw new Error(`${w.changeId}: a baseline names runs that are not in the record`);
  const summary = summaryOf(found.map((run) => ({ context: RunContext.parse(run.context), measurements: run.measurements })));
  const id = newId();
  await w.sql.query(
    `insert into baselines (id, job_id, class_id, change_id, summary, fingerprint, captured_by_id, captured_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, move.jobId, move.classId, w.changeId, json(summary), bytesOf(w.hash(canonicalJson(summary))), w.actor, w.at],
  );
  await w.sql.query("insert into baseline_runs (baseline_id, run_id) select $1, unnest($2::text[])", [id, found.map((run) => run.id)]);
  wrote(w, "baselines", id);
};
type BaselineRun = { id: string; context: unknown; measurements: RunMeasurement[] };

/** A revision is locked once; the lock itself is never edited (R3.2). */
export const moveLockJob: Apply<"lock_job"> = async (w, move) => {
  await w.sql.query(
    `insert into change_jobs (change_id, revision, class_id, job_id, baseline_id, capture, locked_by_id, locked_at)
     select id, plan_revision, $2, $3, $4, $5, $6, $7 from changes where id = $1 on conflict do nothing`,
    [w.changeId, move.classId, move.jobId, move.baselineId, move.capture, move.byId, w.at],
  );
  wrote(w, "change_jobs", w.changeId, w.revision, move.classId);
};

export const moveLinkRehearsal: Apply<"link_rehearsal"> = async (w, move) => {
  await w.sql.query(
    `insert into rehearsal_links (change_id, rehearsal_id, kind, finding, linked_by_id, at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [w.changeId, move.rehearsalId, move.kind, json(move.finding), move.byId, w.at],
  );
  wrote(w, "rehearsal_links", w.changeId, move.rehearsalId, move.kind);
};

export const moveReading: Apply<"reading"> = async (w, move) => {
  await w.sql.query(
    `insert into second_readings (id, change_id, report_id, reader_id, answers, differences, fingerprint, at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [move.id, w.changeId, move.reportId, move.byId, json(move.answers), json(move.differences), bytesOf(move.fingerprint), w.at],
  );
  wrote(w, "second_readings", move.id);
};

/** A class of its own made by a person. It keeps the facts of what it was made from; the part's name tells it apart. */
export const moveNodeClass: Apply<"node_class"> = async (w, move) => {
  const [made] = await rows<{ id: number }>(
    w.sql,
    `insert into node_classes (cluster_id, label, fingerprint, facts, part, made_from, decision_id, created_at)
     select c.cluster_id, $2, $3, c.facts, $4, $5, $6, $7 from node_classes c where c.id = $1
     on conflict (cluster_id, fingerprint) do nothing returning id`,
    [
      move.madeFrom[0] ?? null,
      storedText(move.label),
      bytesOf(w.hash(canonicalJson({ part: move.part, madeFrom: move.madeFrom, decision: move.decisionId }))),
      storedText(move.part),
      move.madeFrom,
      move.decisionId,
      w.at,
    ],
  );
  if (made === undefined) throw new Error(`${w.changeId}: the class ${move.label} could not be made`);
  wrote(w, "node_classes", made.id);
  const moved = await rows<{ id: string }>(w.sql, "update targets set class_id = $3 where change_id = $1 and id = any($2) returning id", [
    w.changeId,
    move.targets,
    made.id,
  ]);
  for (const { id } of moved) wrote(w, "targets", id);
};
