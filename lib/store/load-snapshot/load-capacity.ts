import { limitsOf, type OutNode } from "@/lib/core/change/capacity";
import { NODE_STEPS, STEP_TRAITS } from "@/lib/core/change/step";
import type { DecisionView, Snapshot } from "@/lib/core/change/snapshot";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { row, rows } from "../database";
import type { Loading } from "./loading";
import type { LoadedChange } from "./load-change";

type Capacity = Pick<Snapshot, "limits" | "others" | "totalGpus" | "handOf" | "sources">;

const HOLDING = NODE_STEPS.filter((step) => STEP_TRAITS[step].holdsSlot);

/** Who else is out on this cluster, and how many may be (R6). */
export async function loadCapacity(l: Loading, loaded: LoadedChange, decisions: readonly DecisionView[]): Promise<Capacity> {
  const gpus = await row<{ gpus: number }>(
    l.sql,
    "select coalesce(sum(gpu_count), 0)::int as gpus from nodes where cluster_id = $1 and role = 'compute' and retired_at is null",
    [l.clusterId],
  );
  const hand = await row<{ change_id: ChangeId }>(l.sql, "select change_id from hands where cluster_id = $1 and change_id <> $2", [
    l.clusterId,
    l.changeId,
  ]);
  const reads = await rows<{ source: string; confirms_at: Date | null; failed_at: Date | null; reason: string | null }>(
    l.sql,
    "select source, confirms_at, failed_at, reason from source_reads where cluster_id = $1 order by source",
    [l.clusterId],
  );
  const planned = loaded.layout.batches.map(({ nodes }) => ({
    nodes: nodes.length,
    gpus: nodes.reduce((sum, node) => sum + node.gpus, 0),
  }));
  return {
    limits: limitsOf(planned, loaded.cluster.computeNodes, maxUnavailable(loaded, decisions, l.now)),
    others: await loadOthers(l),
    totalGpus: gpus?.gpus ?? 0,
    handOf: hand?.change_id ?? null,
    sources: reads.map((r) => ({ source: r.source, confirmsAt: r.confirms_at, failedAt: r.failed_at, reason: r.reason })),
  };
}

/** What the plan says, or a relaxation that still stands; in nodes, a percentage rounded down. */
function maxUnavailable({ plan, cluster }: LoadedChange, decisions: readonly DecisionView[], now: Date): number | null {
  const relaxed = decisions
    .filter((d) => d.kind === "relaxation" && !d.revoked && (d.until === null || d.until > now) && d.facts["what"] === "maxUnavailable")
    .at(-1)?.facts["value"];
  if (typeof relaxed === "number") return relaxed;
  if (typeof relaxed === "string" && /^\d+%?$/.test(relaxed)) {
    return relaxed.endsWith("%") ? Math.floor((cluster.computeNodes * Number.parseInt(relaxed, 10)) / 100) : Number(relaxed);
  }
  if (plan.maxUnavailable === null) return null;
  return "nodes" in plan.maxUnavailable
    ? plan.maxUnavailable.nodes
    : Math.floor((cluster.computeNodes * plan.maxUnavailable.percent) / 100);
}

/** Everybody out who is not one of our targets with a place; lent partners are ours and say so. Powered down or absent counts nowhere. */
async function loadOthers(l: Loading): Promise<readonly OutNode[]> {
  return rows<{ name: string; gpus: number; because: OutNode["because"] }>(
    l.sql,
    `select s.name, n.gpu_count as gpus, case
         when exists (select 1 from obligations o where o.subject_id = n.id and o.change_id = $2 and o.kind = 'loan' and o.settled_at is null) then 'lent'
         when other.step is not null then case when other.step = 'released' then 'released' else 'other_change' end
         when exists (select 1 from findings f where f.subject_id = n.id and f.kind = 'unplanned_arrival' and f.closed_at is null) then 'arrival'
         when n.service = 'down' then 'down' else 'drained_by_other' end as because
     from nodes n join subjects s on s.id = n.id left join lateral (
       select t.step from targets t where t.subject_id = n.id and ((t.change_id <> $2 and t.step = any($3::node_step[]) and not t.over) or (t.step = 'released' and n.service in ('down', 'draining', 'drained')))
       order by t.step = 'released' limit 1) other on true
     where n.cluster_id = $1 and n.role = 'compute' and n.retired_at is null
     and not exists (select 1 from targets t where t.subject_id = n.id and t.change_id = $2 and t.step = any($3::node_step[]))
     and (n.service in ('down', 'draining', 'drained') or other.step is not null
       or exists (select 1 from obligations o where o.subject_id = n.id and o.change_id = $2 and o.kind = 'loan' and o.settled_at is null))
     order by n.sort_name`,
    [l.clusterId, l.changeId, HOLDING],
  );
}
