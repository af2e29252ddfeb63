import { BaselineSummary } from "@/lib/core/acceptance/baseline";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { err, ok } from "@/lib/core/kernel/result";
import type { EarlierBaseline, Store } from "@/lib/ports/store";
import { appendAudit } from "./append-audit";
import { SITE_CHAIN } from "./changes";
import { readOnly, row, rows, transact, type Database, type Sql } from "./database";
import { rowRef } from "./row-hashes";
import { bytesOf, json, storedText } from "./stored-text";
import { writeEvidence } from "./write-evidence";

/** Baselines that no change captured: runs of a job from earlier, brought as raw outputs (R3.3). Always a new row. */
export const baselines = ({ pool, hash }: Database): Pick<Store, "recordBaseline" | "baselinesOf"> => ({
  recordBaseline: (made) =>
    transact(pool, async (sql) => {
      // Two who bring the same outputs at the same time: the second sees the first's.
      await sql.query("select pg_advisory_xact_lock(hashtext($1))", [`baseline of ${made.jobId}`]);
      const nodes = await rows<{ id: number; name: string; class_id: number }>(
        sql,
        `select n.id, s.name, n.class_id from nodes n join subjects s on s.id = n.id join node_classes k on k.id = n.class_id
         where n.cluster_id = $1 and k.label = $2 and n.retired_at is null`,
        [made.clusterId, made.classLabel],
      );
      const named = made.runs[0]?.context.nodes.map((name) => nodes.find((one) => one.name === name)) ?? [];
      const first = named[0];
      if (first === undefined || named.some((one) => one?.class_id !== first.class_id)) return err({ code: "unknown_nodes" as const });
      const known = await knownBaseline(sql, made);
      if (known !== null) return err({ code: "already_recorded" as const, baseline: known });
      const refs = new Set(
        await writeEvidence(
          sql,
          made.runs.map((run) => run.evidence),
        ),
      );
      for (const [at, run] of made.runs.entries()) refs.add(await writeRun(sql, made, { run, repeat: at + 1, node: first }));
      await sql.query(
        "insert into baselines (id, job_id, class_id, change_id, summary, fingerprint, captured_by_id, captured_at) values ($1, $2, $3, null, $4, $5, $6, $7)",
        [made.id, made.jobId, first.class_id, json(made.summary), bytesOf(hash(canonicalJson(made.summary))), made.by, made.takenAt],
      );
      await sql.query("insert into baseline_runs (baseline_id, run_id) select $1, unnest($2::text[])", [
        made.id,
        made.runs.map((run) => run.id),
      ]);
      const facts = {
        baseline: made.id,
        job: made.jobId,
        cluster: made.clusterId,
        class: made.classLabel,
        takenAt: made.takenAt.toISOString(),
      };
      const entry = { action: "baseline.recorded", targetId: null, because: "", facts };
      await appendAudit(sql, { chain: SITE_CHAIN, at: made.at, actor: made.by }, [entry], refs.add(rowRef("baselines", made.id)));
      return ok({ id: made.id });
    }),

  baselinesOf: (jobId) =>
    readOnly(pool, async (sql) => {
      const found = await rows<Found>(
        sql,
        `select b.id, b.change_id as "changeId", c.cluster_id as "clusterId", c.label as "classLabel", b.summary, b.captured_by_id as "capturedBy",
           b.captured_at as "capturedAt", b.retired_at as "retiredAt"
         from baselines b join node_classes c on c.id = b.class_id where b.job_id = $1 order by b.captured_at desc, b.id`,
        [jobId],
      );
      return found.map((one) => ({ ...one, summary: BaselineSummary.parse(one.summary) }));
    }),
});
type Found = Omit<Awaited<ReturnType<Store["baselinesOf"]>>[number], "summary"> & { readonly summary: unknown };

async function knownBaseline(sql: Sql, made: EarlierBaseline): Promise<string | null> {
  const found = await row<{ id: string }>(
    sql,
    `select br.baseline_id as id from runs r join baseline_runs br on br.run_id = r.id
     where r.job_id = $1 and encode(r.evidence_sha, 'hex') = any($2) limit 1`,
    [made.jobId, made.runs.map((run) => run.evidence.sha256)],
  );
  return found?.id ?? null;
}

type Placed = {
  readonly run: EarlierBaseline["runs"][number];
  readonly repeat: number;
  readonly node: { readonly id: number; readonly class_id: number };
};

/** How it was executed nobody has seen: that stays null. Its host epoch is older than any that is counted. */
async function writeRun(sql: Sql, made: EarlierBaseline, { run, repeat, node }: Placed): Promise<string> {
  await sql.query(
    `insert into runs (id, job_id, class_id, subject_id, change_id, purpose, repeat, command_key, started_at, finished_at, host_epoch, context, execution, output, input_sha, app_version, evidence_sha)
     values ($1, $2, $3, $4, null, 'baseline', $5, null, $6, $6, 0, $7, null, $8, $9, $10, $11)`,
    [
      run.id,
      made.jobId,
      node.class_id,
      node.id,
      repeat,
      made.takenAt,
      json(run.context),
      json(run.output),
      bytesOf(made.inputSha),
      storedText(made.appVersion),
      bytesOf(run.evidence.sha256),
    ],
  );
  const column = <T>(pick: (m: (typeof run.measurements)[number]) => T): readonly T[] => run.measurements.map(pick);
  await sql.query(
    `insert into measurements (run_id, metric, bucket, placement, value, unit)
     select $1, * from unnest($2::text[], $3::bigint[], $4::text[], $5::float8[], $6::text[])`,
    [run.id, column((m) => m.metric), column((m) => m.bucket), column((m) => m.placement), column((m) => m.value), column((m) => m.unit)],
  );
  return rowRef("runs", run.id);
}
