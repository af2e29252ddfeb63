import type { ChangeId } from "@/lib/core/kernel/ids";
import { rows, type Database } from "./database";

/** What the newest verdict of every check rests on: its own evidence, that of its run, and that of the observations it cites. */
export const checkEvidence =
  ({ pool }: Pick<Database, "pool">) =>
  async (changeId: ChangeId): Promise<ReadonlyMap<string, readonly string[]>> => {
    const found = await rows<{ check_id: string; sha: string }>(
      pool,
      `with newest as (
         select distinct on (v.check_id) v.check_id, v.id, v.evidence_sha, v.run_id
           from verdicts v join checks c on c.id = v.check_id where c.change_id = $1 order by v.check_id, v.id desc)
       select check_id, encode(sha, 'hex') as sha from (
         select check_id, evidence_sha as sha from newest
         union select n.check_id, r.evidence_sha from newest n join runs r on r.id = n.run_id
         union select n.check_id, o.evidence_sha from newest n
                 join citations q on q.verdict_id = n.id join observations o on o.id = q.observation_id) all_of_it
        where sha is not null order by check_id, sha`,
      [changeId],
    );
    const evidence = new Map<string, string[]>();
    for (const { check_id: check, sha } of found) evidence.set(check, [...(evidence.get(check) ?? []), sha]);
    return evidence;
  };
