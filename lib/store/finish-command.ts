import { COMMAND_TRAITS, type CommandKind } from "@/lib/core/change/command";
import type { NewRun, Store } from "@/lib/ports/store";
import { appendAudit } from "./append-audit";
import { row, transact, type Database, type Sql } from "./database";
import { rowRef } from "./row-hashes";
import { bytesOf, bytesOrNull, json, storedText } from "./stored-text";
import { changesTouching, wake } from "./wake";
import { writeEvidence } from "./write-evidence";
import { writeObservations } from "./write-observations";

type End = Parameters<Store["finishCommand"]>[0];
type Ended = {
  readonly change_id: string;
  readonly cluster_id: string;
  readonly target_id: string | null;
  readonly kind: CommandKind;
  readonly subject_id: number | null;
};

/** MODEL 5.3, record: everything a command brought, in one transaction, only for the attempt that still owns it. */
export const finishCommand =
  ({ pool, hash }: Database): Store["finishCommand"] =>
  (end) =>
    transact(pool, async (sql) => {
      const evidence = await writeEvidence(sql, end.evidence);
      const ended = await close(sql, end);
      if (ended === null) {
        await markLate(sql, end);
        return "late";
      }
      await endModelEpoch(sql, ended, end);
      const observations = await writeObservations(sql, hash, end);
      const refs = new Set([rowRef("commands", end.key), ...evidence, ...observations.map((id) => rowRef("observations", id))]);
      if (end.run !== null) {
        await writeRun(sql, ended, end.key, end.run);
        refs.add(rowRef("runs", end.run.id));
      }
      const facts = { key: end.key, state: end.state, result: end.outcome.result };
      const entry = { action: "command.ended", targetId: ended.target_id, because: end.outcome.because, facts };
      await appendAudit(sql, { chain: ended.change_id, at: end.at, actor: "worker" }, [entry], refs);
      const subjects = [...end.observations, ...end.boots].map((seen) => seen.subjectId);
      await wake(sql, [...new Set([ended.change_id, ...(await changesTouching(sql, ended.cluster_id, subjects))])]);
      return "recorded";
    });

const close = (sql: Sql, end: End): Promise<Ended | null> =>
  row<Ended>(
    sql,
    `update commands c set state = $3, outcome = $4, finished_at = $5, evidence_sha = $6 from changes ch
     where c.key = $1 and c.attempt = $2 and c.finished_at is null and ch.id = c.change_id
     returning c.change_id, ch.cluster_id, c.target_id, c.kind, (select t.subject_id from targets t where t.id = c.target_id) as subject_id`,
    [end.key, end.attempt, end.state, json(end.outcome), end.at, bytesOrNull(end.evidenceSha)],
  );

/** Somebody else owns it: said on the row while that is open. A row that has ended is frozen; the evidence is kept either way. */
async function markLate(sql: Sql, end: End): Promise<void> {
  await sql.query("update commands set late = true where key = $1 and finished_at is null", [end.key]);
}

/** Reboots are counted by what is seen of them (`boots`); what changes the model or puts an old version back ends older evidence by itself (R1.11). */
async function endModelEpoch(sql: Sql, ended: Ended, end: End): Promise<void> {
  const { ends } = COMMAND_TRAITS[ended.kind];
  if (end.state !== "succeeded" || ended.subject_id === null) return;
  if (ends === "model" || ends === "both")
    await sql.query("update subjects set model_epoch = model_epoch + 1 where id = $1", [ended.subject_id]);
  if (ended.kind === "start_rollback") await sql.query("update subjects set host_epoch = host_epoch + 1 where id = $1", [ended.subject_id]);
}

async function writeRun(sql: Sql, ended: Ended, key: string, run: NewRun): Promise<void> {
  await sql.query(
    `insert into runs (id, job_id, class_id, subject_id, change_id, purpose, repeat, command_key, started_at, finished_at, host_epoch, context, execution, output, input_sha, app_version, evidence_sha)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      run.id,
      run.jobId,
      run.classId,
      run.subjectId,
      ended.change_id,
      run.purpose,
      run.repeat,
      key,
      run.startedAt,
      run.finishedAt,
      run.hostEpoch,
      json(run.context),
      json(run.execution),
      json(run.output),
      bytesOf(run.inputSha),
      storedText(run.appVersion),
      bytesOrNull(run.evidenceSha),
    ],
  );
  const column = <T>(pick: (m: NewRun["measurements"][number]) => T): readonly T[] => run.measurements.map(pick);
  await sql.query(
    `insert into measurements (run_id, metric, bucket, placement, value, unit)
     select $1, * from unnest($2::text[], $3::bigint[], $4::text[], $5::float8[], $6::text[])`,
    [run.id, column((m) => m.metric), column((m) => m.bucket), column((m) => m.placement), column((m) => m.value), column((m) => m.unit)],
  );
}
