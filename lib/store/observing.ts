import type { SubjectId } from "@/lib/core/kernel/ids";
import type { Store } from "@/lib/ports/store";
import { row, rows, transact, type Database } from "./database";
import { bytesOf, storedText } from "./stored-text";
import { POLL_MS } from "./read-pace";
import { changesTouching, wake } from "./wake";
import { wantedTelemetry } from "./wanted-telemetry";
import { writeEvidence } from "./write-evidence";
import { writeObservations } from "./write-observations";

type Observing = Pick<Store, "subjects" | "latest" | "recordRead" | "failRead" | "wantedTelemetry" | "putEvidence" | "evidence">;

/** SQL: the source's own pace, but never slower than the cluster's `pollMs` while some change waits for it. */
const paceMs = (read: string, own: string, now: string): string =>
  `(case when ${read}.wanted_until > ${now} then least(${own}, ${POLL_MS(`${read}.cluster_id`)}) else ${own} end)`;

export const observing = ({ pool, hash }: Database): Observing => ({
  subjects: async (clusterId) => {
    const found = await rows<SubjectRow>(
      pool,
      `select s.id, s.name, s.kind, s.host_epoch, s.model_epoch, s.boot_id, s.booted_at, coalesce(n.gpu_count, 0) as gpus, coalesce(n.role, '') as role
       from subjects s left join nodes n on n.id = s.id where s.cluster_id = $1 and n.retired_at is null order by s.id`,
      [clusterId],
    );
    return found.map((s) => ({
      subjectId: s.id,
      name: s.name,
      kind: s.kind,
      hostEpoch: s.host_epoch,
      modelEpoch: s.model_epoch,
      bootId: s.boot_id,
      bootedAt: s.booted_at,
      gpus: s.gpus,
      role: s.role,
    }));
  },

  latest: async (clusterId, source) => {
    const found = await rows<LatestRow>(
      pool,
      `select l.subject_id || '/' || l.field || '/' || l.component || '/' || l.source as key, l.kind, l.text, l.host_epoch, l.model_epoch
       from latest_observations l join subjects s on s.id = l.subject_id where s.cluster_id = $1 and (l.source = $2 or l.source like $3)`,
      [clusterId, source, `${source.replace(/[\\%_]/g, "\\$&")}/%`],
    );
    return new Map(found.map((l) => [l.key, { kind: l.kind, text: l.text, hostEpoch: l.host_epoch, modelEpoch: l.model_epoch }]));
  },

  recordRead: (read) =>
    transact(pool, async (sql) => {
      await writeEvidence(sql, read.evidence);
      const ids = await writeObservations(sql, hash, read);
      await sql.query(
        `insert into source_reads as r (cluster_id, source, started_at, confirms_at, listed, next_due_at)
         values ($1, $2, $3::timestamptz, $4::timestamptz, $5, $3::timestamptz + (case when $6::int > 0 then $6::int else 60000 end) * interval '1 ms')
         on conflict (cluster_id, source) do update set started_at = excluded.started_at, confirms_at = coalesce(excluded.confirms_at, r.confirms_at),
           listed = excluded.listed, failures = 0, failed_at = null, reason = null,
           next_due_at = excluded.started_at + ${paceMs("r", "case when $6::int > 0 then $6::int else r.wanted_every_ms end", "excluded.started_at")} * interval '1 ms'`,
        [read.clusterId, read.source, read.startedAt, read.complete ? read.startedAt : null, read.listed, read.nextInMs],
      );
      const subjects = [...new Set([...read.observations, ...read.boots].map((o) => o.subjectId))];
      await wake(sql, await changesTouching(sql, read.clusterId, subjects));
      return { written: ids.length };
    }),

  failRead: async (clusterId, source, at, because) => {
    await pool.query(
      `insert into source_reads as r (cluster_id, source, failed_at, failures, reason, next_due_at) values ($1, $2, $3::timestamptz, 1, $4, $3::timestamptz + interval '5 s')
       on conflict (cluster_id, source) do update set failed_at = excluded.failed_at, failures = r.failures + 1, reason = excluded.reason,
         next_due_at = excluded.failed_at + ${paceMs("r", "least(5000 * power(2, least(r.failures, 4)), 60000)", "excluded.failed_at")} * interval '1 ms'`,
      [clusterId, source, at, storedText(because)],
    );
  },

  wantedTelemetry: (clusterId) => wantedTelemetry(pool, clusterId),

  putEvidence: async (evidence) => {
    await writeEvidence(pool, [evidence]);
  },

  evidence: async (sha256) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
    const found = await row<{ media_type: string; bytes: Buffer; created_at: Date }>(
      pool,
      "select media_type, bytes, created_at from evidence where sha256 = $1",
      [bytesOf(sha256)],
    );
    return found && { mediaType: found.media_type, bytes: found.bytes, createdAt: found.created_at };
  },
});

type SubjectRow = {
  id: SubjectId;
  name: string;
  kind: "cluster" | "scale_set" | "node" | "switch";
  host_epoch: number;
  model_epoch: number;
  boot_id: string | null;
  booted_at: Date | null;
  gpus: number;
  role: string;
};
type LatestRow = { key: string; kind: string; text: string | null; host_epoch: number; model_epoch: number };
