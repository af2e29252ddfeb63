import { err, ok } from "@/lib/core/kernel/result";
import type { NewChange, Store } from "@/lib/ports/store";
import { openFinding } from "./commit/move-stop";
import { appendAudit } from "./append-audit";
import { row, transact, type Database, type Sql } from "./database";
import { goalColumns, placeTargets, planFindings, plannedNodes } from "./place-targets";
import { rowRef } from "./row-hashes";
import { bytesOf, json, storedText } from "./stored-text";
import { wake } from "./wake";

export const createChange =
  ({ pool }: Database): Store["createChange"] =>
  (change) =>
    transact(pool, async (sql) => {
      const { plan, layout } = change;
      const cluster = await row<{ id: string }>(sql, "select id from clusters where id = $1 and retired_at is null", [plan.cluster]);
      if (cluster === null) return err({ code: "unknown_cluster" as const, because: `there is no cluster ${plan.cluster}` });
      const nodes = await plannedNodes(sql, plan.cluster, layout);
      const missing = layout.batches.flatMap((batch) => batch.nodes.map((node) => node.name)).filter((name) => !nodes.has(name));
      if (missing.length > 0) {
        return err({
          code: "unknown_nodes" as const,
          because: `not in the inventory of ${plan.cluster}: ${missing.slice(0, 10).join(", ")}${missing.length > 10 ? " ..." : ""}`,
        });
      }
      await writeChange(sql, change);
      const placing = { sql, changeId: change.id, clusterId: plan.cluster, at: change.at };
      const placed = await placeTargets(placing, { plan, layout, nodes, keep: new Set(), firstNumber: 1 });
      const findings = [];
      for (const finding of planFindings(change.id, 1, layout)) findings.push(await openFinding(placing, finding));
      const windows = await bookWindows(sql, change);
      await sql.query("insert into wakes (change_id, wake_seq, next_due_at) values ($1, 0, $2)", [change.id, change.at]);
      const refs = new Set([
        rowRef("changes", change.id),
        rowRef("plans", change.id, 1),
        ...placed.batches.map((number) => rowRef("batches", change.id, number)),
        ...placed.targets.map((id) => rowRef("targets", id)),
        ...findings.flatMap((id) => (id === null ? [] : [rowRef("findings", id)])),
        ...windows.map((id) => rowRef("windows", id)),
      ]);
      await appendAudit(sql, { chain: change.id, at: change.at, actor: change.authorId }, [change.event], refs);
      await wake(sql, [change.id]);
      return ok({ changeId: change.id });
    });

async function writeChange(sql: Sql, change: NewChange): Promise<void> {
  const { plan } = change;
  await sql.query(
    `insert into changes (id, title, ticket, cluster_id, type, purpose, urgency, execution, advance, profile, author_id, operator_id, owner_id, people, fingerprint, goal, goal_text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      change.id,
      storedText(plan.title),
      plan.ticket,
      plan.cluster,
      plan.type,
      change.purpose,
      plan.urgency,
      plan.execution,
      plan.advance,
      change.profile,
      change.authorId,
      change.operatorId,
      change.ownerId,
      json(change.people),
      bytesOf(change.fingerprint),
      ...goalColumns(change.goal),
      change.at,
    ],
  );
  await sql.query(
    `insert into plans (change_id, revision, yaml, parsed, preview, fingerprint, standing_fingerprint, author_id, created_at) values ($1, 1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      change.id,
      storedText(change.yaml),
      json(plan),
      json(change.layout),
      bytesOf(change.fingerprint),
      bytesOf(change.standingFingerprint),
      change.authorId,
      change.at,
    ],
  );
}

/** The plan's windows are bookings from the start (R11.1). */
async function bookWindows(sql: Sql, { id, plan, authorId }: NewChange): Promise<readonly string[]> {
  const ids = [];
  for (const [i, window] of plan.windows.entries()) {
    const windowId = `${id}/window/${i + 1}`;
    await sql.query(
      "insert into windows (id, cluster_id, change_id, title, starts_at, ends_at, timezone, booked_by_id) values ($1, $2, $3, $4, $5, $6, $7, $8)",
      [windowId, plan.cluster, id, storedText(plan.title), window.startsAt, window.endsAt, window.timezone, authorId],
    );
    ids.push(windowId);
  }
  return ids;
}
