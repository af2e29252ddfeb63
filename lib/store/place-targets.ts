import type { ChangeGoal } from "@/lib/core/config-state/goal";
import type { Plan } from "@/lib/core/plan/plan";
import type { PlanLayout } from "@/lib/core/planner/layout";
import { rows, type Sql } from "./database";
import { json } from "./stored-text";

type Placing = { readonly sql: Sql; readonly changeId: string; readonly clusterId: string; readonly at: Date };
type Found = { readonly id: number; readonly name: string; readonly class_id: number; readonly scale_set_id: number | null };

/** The inventory's rows of the planned nodes, by name. */
export async function plannedNodes(sql: Sql, clusterId: string, layout: PlanLayout): Promise<ReadonlyMap<string, Found>> {
  const names = layout.batches.flatMap((batch) => batch.nodes.map((node) => node.name));
  const found = await rows<Found>(
    sql,
    `select n.id, s.name, n.class_id, n.scale_set_id from nodes n join subjects s on s.id = n.id
     where s.cluster_id = $1 and s.kind = 'node' and s.name = any($2) and n.retired_at is null`,
    [clusterId, names],
  );
  return new Map(found.map((node) => [node.name, node]));
}

/** The key of a target. One node is in a change at most once. */
const targetId = (changeId: string, node: string): string => `${changeId}:${node}`;

/** Writes batches (numbered from `firstNumber`) and their targets. `keep`: nodes whose target is under way or settled and stays as it is. */
export async function placeTargets(
  { sql, changeId, at }: Placing,
  {
    plan,
    layout,
    nodes,
    keep,
    firstNumber,
  }: { plan: Plan; layout: PlanLayout; nodes: ReadonlyMap<string, Found>; keep: ReadonlySet<string>; firstNumber: number },
): Promise<{ readonly batches: readonly number[]; readonly targets: readonly string[] }> {
  const parts = layout.batches.map((batch) => batch.nodes.filter((node) => !keep.has(node.name))).filter((part) => part.length > 0);
  const placed = parts.flatMap((part, i) => part.map((node) => ({ node, number: firstNumber + i, known: nodes.get(node.name) })));
  const batches = parts.map((_, i) => firstNumber + i);
  await sql.query("insert into batches (change_id, number) select $1, unnest($2::int[])", [changeId, batches]);
  const saved = json(plan.rollback.map(({ name, capability }) => ({ name, capability, savedVersion: null })));
  const column = <T>(pick: (p: (typeof placed)[number]) => T): readonly T[] => placed.map(pick);
  const written = await rows<{ id: string }>(
    sql,
    `insert into targets as t (id, change_id, subject_id, name, batch, class_id, scale_set_id, role, mode, gpus, rollback, saved, step_since)
     select i, $2, s, n, b, c, ss, r::target_role, m::target_mode, g, rb::rollback_capability, $11::jsonb, $12
     from unnest($1::text[], $3::int[], $4::text[], $5::int[], $6::int[], $7::int[], $8::text[], $9::text[], $10::int[], $13::text[]) as u (i, s, n, b, c, ss, r, m, g, rb)
     on conflict (change_id, subject_id) do update set batch = excluded.batch, role = excluded.role, mode = excluded.mode, gpus = excluded.gpus, rollback = excluded.rollback,
       saved = excluded.saved, class_id = excluded.class_id returning t.id`,
    [
      column((p) => targetId(changeId, p.node.name)),
      changeId,
      column((p) => p.known?.id),
      column((p) => p.node.name),
      column((p) => p.number),
      column((p) => p.known?.class_id),
      column((p) => p.known?.scale_set_id),
      column((p) => (p.node.canary ? "canary" : "member")),
      column((p) => p.node.mode),
      column((p) => p.node.gpus),
      saved,
      at,
      column((p) => p.node.rollback),
    ],
  );
  return { batches, targets: written.map((target) => target.id) };
}

/** Findings of the preview, one row each: open until the named person has accepted it; `nobody` can: it stays open until another revision has none. */
export const planFindings = (changeId: string, revision: number, layout: PlanLayout) =>
  layout.findings.map((finding, i) => ({
    kind: "plan",
    key: `${changeId}/plan/${revision}/${i + 1}/${finding.code}`,
    on: null,
    because: finding.text,
    blocks: true,
    acceptedBy: finding.acceptedBy,
    facts: { code: finding.code, revision },
  }));

export const goalColumns = (goal: ChangeGoal): readonly [string, string] => [json(goal), goal.text];
