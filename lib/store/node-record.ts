import type { Store } from "@/lib/ports/store";
import type { NodeRecord } from "@/lib/ports/rows";
import { readOnly, rows, type Database } from "./database";

const MOST_CHANGES = 100;

export const nodeRecord = ({ pool }: Database): Pick<Store, "nodeRecord"> => ({
  nodeRecord: (subjectId) =>
    readOnly(pool, async (sql) => {
      const layers = await rows<NodeRecord["layers"][number]>(
        sql,
        `select field, component, source, text, observed_at as "observedAt" from latest_observations
         where subject_id = $1 and field <> 'service' order by field, component, source`,
        [subjectId],
      );
      const changes = await rows<NodeRecord["changes"][number]>(
        sql,
        `select c.id, c.title, c.goal_text as "goalText", c.ended_at as "endedAt", t.batch, t.step, t.step_since as since, t.because,
           t.investigator_id as "investigatorId", t.ticket
         from targets t join changes c on c.id = t.change_id where t.subject_id = $1 order by c.created_at desc limit $2`,
        [subjectId, MOST_CHANGES],
      );
      return { layers, changes };
    }),
});
