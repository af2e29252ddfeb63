import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import { err, ok } from "@/lib/core/kernel/result";
import type { Commit, Store } from "@/lib/ports/store";
import { appendAudit } from "../append-audit";
import { row, transact, type Database, type Sql } from "../database";
import { enqueueCommand } from "../enqueue";
import { wantReads } from "../read-pace";
import { json, storedText } from "../stored-text";
import { wake } from "../wake";
import { applyMove } from "./apply-move";
import { giveBackHand } from "./move-target";
import { Conflict, wrote, type Writing } from "./writing";

type Guarded = { readonly cluster_id: string; readonly plan_revision: number; readonly execution: "automatic" | "manual" };

/** MODEL 5.2, step 4: everything one look or one person's action decided, in one transaction, only if the version is still the one that was read. */
export const commit =
  ({ pool, hash }: Database): Store["commit"] =>
  async (wanted) => {
    try {
      await transact(pool, async (sql) => {
        const guarded = await guard(sql, wanted);
        const w: Writing = {
          sql,
          hash,
          changeId: wanted.changeId,
          clusterId: guarded.cluster_id,
          revision: guarded.plan_revision,
          at: wanted.at,
          actor: wanted.actor,
          refs: new Set(),
        };
        await write(w, wanted, guarded.execution);
      });
      return ok({ version: wanted.version + 1 });
    } catch (error) {
      if (error instanceof Conflict || isTakenNode(error)) return err({ code: "conflict" });
      throw error;
    }
  };

/** The version is the lock of the whole change; next action and tally are hints for lists. */
async function guard(sql: Sql, wanted: Commit): Promise<Guarded> {
  const found = await row<Guarded>(
    sql,
    `update changes set version = version + 1, next_action = coalesce($3, next_action), tally = coalesce($4, tally) where id = $1 and version = $2
     returning cluster_id, plan_revision, execution`,
    [wanted.changeId, wanted.version, wanted.nextAction && json(wanted.nextAction), wanted.tally && json(wanted.tally)],
  );
  if (found === null) throw new Conflict("the version");
  return found;
}

async function write(w: Writing, wanted: Commit, execution: "automatic" | "manual"): Promise<void> {
  for (const move of inOrder(wanted.moves)) await applyMove(w, move);
  for (const command of wanted.commands) await plan(w, command);
  const others = wanted.moves.some((move) => move.move === "target") ? await giveBackHand(w) : [];
  const ended = wanted.moves.some((move) => move.move === "change" && (move.to === "COMPLETED" || move.to === "DEGRADED"));
  await appendAudit(w.sql, { chain: w.changeId, at: w.at, actor: w.actor }, lines(w, wanted), w.refs);
  if (execution === "automatic") for (const { key } of wanted.commands) await enqueueCommand(w.sql, key);
  const { ticked } = wanted;
  if (ticked !== null) {
    await wantReads(w.sql, w.clusterId, wanted.wantedReads, w.at, ticked.lookAgainAt);
    await w.sql.query(
      "update wakes set ticked_seq = greatest(ticked_seq, $2), next_due_at = $3, ticked_at = $4, failures = 0 where change_id = $1",
      [w.changeId, ticked.seen, ticked.lookAgainAt, w.at],
    );
  }
  const isEmpty = wanted.moves.length === 0 && wanted.commands.length === 0;
  await wake(w.sql, [...(ticked !== null && isEmpty ? [] : [w.changeId]), ...others, ...(ended ? await allOpen(w) : [])]);
}

/** A check or batch that others speak of is written before them; everything else as it was decided. */
const FIRST: Partial<Record<Move["move"], number>> = { revision: 0, decision: 1, check: 2 };
const inOrder = (moves: readonly Move[]): readonly Move[] => [...moves].sort((a, b) => (FIRST[a.move] ?? 9) - (FIRST[b.move] ?? 9));

/** What was written without a line of its own still gets one: no row changes outside the chain. */
const lines = (w: Writing, wanted: Commit): Commit["events"] =>
  wanted.events.length > 0 || w.refs.size === 0 ? wanted.events : [{ action: "record.updated", targetId: null, because: "", facts: {} }];

async function plan(w: Writing, command: NewCommand): Promise<void> {
  await w.sql.query(
    `insert into commands (key, change_id, target_id, kind, generation, because, request, planned_at, deadline_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      command.key,
      w.changeId,
      command.targetId,
      command.kind,
      command.generation,
      storedText(command.because),
      json(command.request),
      w.at,
      command.deadlineAt,
    ],
  );
  wrote(w, "commands", command.key);
}

async function allOpen(w: Writing): Promise<readonly string[]> {
  const { rows } = await w.sql.query<{ id: string }>("select id from changes where cluster_id = $1 and ended_at is null", [w.clusterId]);
  return rows.map((change) => change.id);
}

/** Another change took the node, or the cluster's hand, between the snapshot and now. */
function isTakenNode(error: unknown): boolean {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string };
  return (
    (code === "23505" && constraint === "targets_one_hand") ||
    (code === "23514" && (message ?? "").startsWith("another change has nodes of this cluster in hand"))
  );
}
