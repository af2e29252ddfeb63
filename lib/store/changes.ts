import type { MaintenanceTypeName } from "@/lib/core/plan/plan";
import type { ChangeId, PersonId } from "@/lib/core/kernel/ids";
import type { Store } from "@/lib/ports/store";
import { appendAudit } from "./append-audit";
import { row, rows, transact, type Database } from "./database";
import { wantReads } from "./read-pace";
import { json } from "./stored-text";

type Changes = Pick<Store, "listChanges" | "unseenWake" | "ticked" | "refused">;

export const changes = ({ pool }: Database): Changes => ({
  listChanges: async ({ clusterId, open, limit }) => {
    const found = await rows<ListedRow>(
      pool,
      `select c.id, c.title, c.ticket, c.cluster_id, c.type, c.purpose, c.state, c.outcome, c.owner_id, c.next_action, c.tally, c.goal_text, c.created_at, c.ended_at, c.version,
         exists (select 1 from holds h where h.released_at is null and (h.change_id = c.id or (h.change_id is null and h.cluster_id = c.cluster_id))) and c.ended_at is null as held
       from changes c where ($1::text is null or c.cluster_id = $1) and ($2::boolean is null or (c.ended_at is null) = $2) order by c.created_at desc, c.id desc limit $3`,
      [clusterId ?? null, open ?? null, limit],
    );
    return found.map((c) => ({
      id: c.id,
      title: c.title,
      ticket: c.ticket,
      clusterId: c.cluster_id,
      type: c.type,
      purpose: c.purpose,
      state: c.state,
      outcome: c.outcome,
      ownerId: c.owner_id,
      nextAction: c.next_action,
      tally: c.tally,
      goalText: c.goal_text,
      createdAt: c.created_at,
      endedAt: c.ended_at,
      version: c.version,
      held: c.held,
    }));
  },

  unseenWake: async (changeId, wakeSeq) => {
    const found = await row<{ wake_seq: number }>(pool, "select wake_seq from wakes where change_id = $1 and active and ticked_seq < $2", [
      changeId,
      wakeSeq,
    ]);
    return found && { seen: found.wake_seq };
  },

  ticked: (look) =>
    transact(pool, async (sql) => {
      const values = [look.changeId, json(look.nextAction), json(look.tally)];
      const [nextAction, tally] = ["$2::jsonb", "$3::jsonb"];
      await sql.query(
        `update changes set next_action = ${nextAction}, tally = ${tally} where id = $1 and (next_action is distinct from ${nextAction} or tally is distinct from ${tally})`,
        values,
      );
      const change = await row<{ cluster_id: string; now: Date }>(
        sql,
        "select cluster_id, clearance_now() as now from changes where id = $1",
        [look.changeId],
      );
      if (change === null) return;
      await wantReads(sql, change.cluster_id, look.wantedReads, change.now, look.lookAgainAt);
      await sql.query(
        "update wakes set ticked_seq = greatest(ticked_seq, $2), next_due_at = $3, ticked_at = $4, failures = 0 where change_id = $1",
        [look.changeId, look.seen, look.lookAgainAt, change.now],
      );
    }),

  refused: (chain, actor, at, entry) =>
    transact(pool, async (sql) => {
      const known = await row(sql, "select 1 from changes where id = $1", [chain]);
      await appendAudit(sql, { chain: known === null ? SITE_CHAIN : chain, at, actor }, [entry], new Set());
    }),
});

/** What concerns no single change. */
export const SITE_CHAIN = "site";

type ListedRow = {
  id: ChangeId;
  title: string;
  ticket: string | null;
  cluster_id: string;
  type: MaintenanceTypeName;
  purpose: "maintenance" | "rehearsal";
  state: string;
  outcome: string | null;
  owner_id: PersonId;
  next_action: unknown;
  tally: Record<string, number>;
  goal_text: string;
  created_at: Date;
  ended_at: Date | null;
  version: number;
  held: boolean;
};
