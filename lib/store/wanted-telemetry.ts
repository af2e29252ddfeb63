import { Plan } from "@/lib/core/plan/plan";
import { NODE_STEPS, STEP_TRAITS } from "@/lib/core/change/step";
import type { SubjectId } from "@/lib/core/kernel/ids";
import { rows, type Sql } from "./database";

const HOLDING = NODE_STEPS.filter((step) => STEP_TRAITS[step].holdsSlot);

type Wanted = {
  readonly name: string;
  readonly query: string;
  readonly subjects: { readonly subjectId: SubjectId; readonly name: string }[];
};

/**
 * The plan's telemetry checks for targets that hold a place (values before the drain and after the work), and for every target of a change in
 * preflight, which asks whether the series are there at all (R7.7).
 */
export async function wantedTelemetry(sql: Sql, clusterId: string): Promise<readonly Wanted[]> {
  const found = await rows<{ parsed: unknown; subjects: { subjectId: SubjectId; name: string }[] }>(
    sql,
    `select p.parsed, (select coalesce(json_agg(json_build_object('subjectId', t.subject_id, 'name', t.name) order by t.subject_id), '[]')
       from targets t where t.change_id = c.id and (c.state = 'PREFLIGHT' or t.step = any($2::node_step[]))) as subjects
     from changes c join plans p on p.change_id = c.id and p.revision = c.plan_revision where c.cluster_id = $1 and c.ended_at is null and c.state <> 'PENDING'`,
    [clusterId, HOLDING],
  );
  const byCheck = new Map<string, Wanted>();
  for (const { parsed, subjects } of found) {
    for (const { name, query } of subjects.length > 0 ? Plan.parse(parsed).telemetry : []) {
      const key = JSON.stringify([name, query]);
      const wanted = byCheck.get(key) ?? { name, query, subjects: [] };
      for (const subject of subjects) if (!wanted.subjects.some((s) => s.subjectId === subject.subjectId)) wanted.subjects.push(subject);
      byCheck.set(key, wanted);
    }
  }
  return [...byCheck.values()];
}
