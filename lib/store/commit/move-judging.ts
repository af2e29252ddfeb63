import { row } from "../database";
import { bytesOrNull, json, storedText } from "../stored-text";
import { writeEvidence } from "../write-evidence";
import { updateOne, wrote, type Apply, type Writing } from "./writing";

/** Checks are written before the step that needs them (R2.1); asked for again it is the same check. */
export const moveCheck: Apply<"check"> = async (w, { check }) => {
  const beforehand = check.notApplicableBecause === null ? null : storedText(check.notApplicableBecause);
  await w.sql.query(
    `insert into checks (id, change_id, gate, scope, target_id, class_id, batch, generation, name, spec, waivable, settles_at, due_at, created_at, not_applicable_because, verdict, because, judged_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text, case when $15::text is null then null else 'not_applicable'::verdict end,
       coalesce($15::text, 'not judged yet'), case when $15::text is null then null else $14::timestamptz end)
     on conflict (id) do nothing`,
    [
      check.id,
      w.changeId,
      check.gate,
      check.scope,
      check.targetId,
      check.classId,
      check.batch,
      check.generation,
      storedText(check.name),
      json(check.spec),
      check.waivable,
      check.settlesAt,
      check.dueAt,
      w.at,
      beforehand,
    ],
  );
  for (const { subjectId, part } of check.members) {
    await w.sql.query("insert into check_members (check_id, subject_id, part) values ($1, $2, $3) on conflict do nothing", [
      check.id,
      subjectId,
      part,
    ]);
  }
  wrote(w, "checks", check.id);
};

export const moveCheckDue: Apply<"check_due"> = async (w, move) => {
  const values = [move.checkId, move.settlesAt, move.dueAt, w.changeId];
  await updateOne(w, `check ${move.checkId}`, "update checks set settles_at = $2, due_at = $3 where id = $1 and change_id = $4", values);
  wrote(w, "checks", move.checkId);
};

/** The verdicts so far stay; the check itself waits for new evidence. */
export const moveCheckAgain: Apply<"check_again"> = async (w, move) => {
  await updateOne(
    w,
    `check ${move.checkId}`,
    `update checks set settles_at = $2, due_at = $3, because = $4, verdict = null, judged_at = null where id = $1 and change_id = $5 and not_applicable_because is null`,
    [move.checkId, move.settlesAt, move.dueAt, storedText(move.because), w.changeId],
  );
  wrote(w, "checks", move.checkId);
};

/** A verdict is a new row with what it rests on; the check repeats its newest (trigger `verdicts_current`). */
export const moveJudge: Apply<"judge"> = async (w, { checkId, judged }) => {
  const { rests } = judged;
  const record = rests.record === undefined ? null : await keepRecord(w, rests.record);
  const verdict = await row<{ id: number }>(
    w.sql,
    `insert into verdicts (check_id, verdict, reason, because, facts, judged_at, evidence_sha, run_id) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      checkId,
      judged.verdict,
      judged.reason,
      storedText(judged.because),
      json(judged.facts),
      w.at,
      bytesOrNull(rests.evidence ?? record),
      rests.runId ?? null,
    ],
  );
  if (verdict === null) throw new Error(`no verdict was written for ${checkId}`);
  const cited = [...new Set(rests.observations)];
  await w.sql.query("insert into citations (verdict_id, observation_id) select $1, unnest($2::bigint[])", [verdict.id, cited]);
  wrote(w, "verdicts", verdict.id);
  wrote(w, "checks", checkId);
};

async function keepRecord(w: Writing, text: string): Promise<string> {
  const bytes = Buffer.from(text, "utf8");
  const [evidence] = await writeEvidence(w.sql, [{ sha256: w.hash(text), mediaType: "application/json", bytes, redactions: 0 }]);
  if (evidence !== undefined) w.refs.add(evidence);
  return w.hash(text);
}
