import { CommandHandle, CommandRequest } from "@/lib/core/change/command-request";
import type { CommandKind } from "@/lib/core/change/command";
import type { ChangeId, CommandKey, SubjectId } from "@/lib/core/kernel/ids";
import type { ClaimedCommand, Store } from "@/lib/ports/store";
import { appendAudit } from "./append-audit";
import { row, rows, transact, type Database, type Sql } from "./database";
import { rowRef } from "./row-hashes";
import { json } from "./stored-text";
import { wake } from "./wake";

/** A command that five workers began and none finished is not tried again: nobody can say what it did (R9.4). */
const MOST_ATTEMPTS = 5;

export const commands = ({ pool }: Database): Pick<Store, "claimCommand" | "ownsCommand" | "storeHandle" | "openHandles"> => ({
  claimCommand: (key, worker, now) =>
    transact(pool, async (sql) => {
      const claimed = await row<{ key: string }>(
        sql,
        `update commands set state = 'started', attempt = attempt + 1, worker = $2, started_at = coalesce(started_at, $3)
         where key = $1 and finished_at is null and attempt < ${MOST_ATTEMPTS} returning key`,
        [key, worker, now],
      );
      if (claimed !== null) return (await views(sql, "c.key = $1", [key]))[0] ?? null;
      await giveUp(sql, key, now);
      return null;
    }),

  ownsCommand: async (key, attempt) =>
    (await row(pool, "select 1 from commands where key = $1 and attempt = $2 and finished_at is null", [key, attempt])) !== null,

  storeHandle: async (key, attempt, handle) => {
    const stored = await pool.query("update commands set handle = $3 where key = $1 and attempt = $2 and finished_at is null", [
      key,
      attempt,
      json(handle),
    ]);
    return stored.rowCount === 1 ? "stored" : "late";
  },

  openHandles: (clusterId) => views(pool, "ch.cluster_id = $1 and c.finished_at is null and c.handle is not null", [clusterId]),
});

async function giveUp(sql: Sql, key: string, now: Date): Promise<void> {
  const because = `begun ${MOST_ATTEMPTS} times and never finished: its workers ended in the middle of it`;
  const poisoned = await row<{ change_id: string }>(
    sql,
    `update commands set state = 'unknown', finished_at = $2, outcome = $3 where key = $1 and finished_at is null and handle is null and attempt >= ${MOST_ATTEMPTS}
     returning change_id`,
    [key, now, json({ result: "unknown", because })],
  );
  if (poisoned === null) return;
  const entry = { action: "command.ended", targetId: null, because, facts: { key, state: "unknown" } };
  await appendAudit(sql, { chain: poisoned.change_id, at: now, actor: "worker" }, [entry], new Set([rowRef("commands", key)]));
  await wake(sql, [poisoned.change_id]);
}

/** Commands as whoever performs them needs them. Commands that belong to no target take the subject their request names. */
async function views(sql: Sql, where: string, values: readonly unknown[]): Promise<readonly ClaimedCommand[]> {
  const found = await rows<CommandRow>(
    sql,
    `select c.key, c.kind, c.change_id, ch.cluster_id, c.target_id, s.id as subject_id, coalesce(t.class_id, n.class_id) as class_id, c.generation, c.attempt, c.request, c.handle,
       c.started_at, c.deadline_at, coalesce(s.host_epoch, 0) as host_epoch, s.boot_id, ch.execution
     from commands c join changes ch on ch.id = c.change_id left join targets t on t.id = c.target_id
       left join subjects s on s.id = coalesce(t.subject_id, (select x.id from subjects x where x.cluster_id = ch.cluster_id and x.kind = 'node' and x.name = c.request ->> 'node'))
       left join nodes n on n.id = s.id
     where ${where} order by c.planned_at, c.key`,
    values,
  );
  return found.map((c) => ({
    key: c.key,
    kind: c.kind,
    changeId: c.change_id,
    clusterId: c.cluster_id,
    targetId: c.target_id,
    subjectId: c.subject_id,
    classId: c.class_id,
    generation: c.generation,
    attempt: c.attempt,
    request: CommandRequest.parse(c.request),
    handle: c.handle === null ? null : CommandHandle.parse(c.handle),
    startedAt: c.started_at,
    deadlineAt: c.deadline_at,
    hostEpoch: c.host_epoch,
    bootId: c.boot_id,
    execution: c.execution,
  }));
}

type CommandRow = {
  key: CommandKey;
  kind: CommandKind;
  change_id: ChangeId;
  cluster_id: string;
  target_id: string | null;
  subject_id: SubjectId | null;
  class_id: number | null;
  generation: number;
  attempt: number;
  request: unknown;
  handle: unknown;
  started_at: Date;
  deadline_at: Date;
  host_epoch: number;
  boot_id: string | null;
  execution: "automatic" | "manual";
};
