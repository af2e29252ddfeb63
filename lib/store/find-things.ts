import type { Store } from "@/lib/ports/store";
import { rows, type Database } from "./database";

/** What people jump to: changes by id, title or ticket, newest first; nodes by name, shortest first. Letters are taken as they are, no pattern. */
export const findThings = ({ pool }: Database): Pick<Store, "findThings"> => ({
  findThings: async (wanted, limit) => {
    const like = `%${wanted.replace(/[\\%_]/g, (one) => `\\${one}`)}%`;
    const [changes, nodes] = await Promise.all([
      rows<{ id: string; title: string; state: string; outcome: string | null }>(
        pool,
        `select id, title, state::text as state, outcome::text as outcome from changes where id ilike $1 or title ilike $1 or ticket ilike $1
         order by ended_at is not null, created_at desc, id desc limit $2`,
        [like, limit],
      ),
      rows<{ name: string; cluster: string; service: string | null }>(
        pool,
        `select s.name, n.cluster_id as cluster, n.service::text as service from nodes n join subjects s on s.id = n.id
         where n.retired_at is null and s.name ilike $1 order by length(s.name), n.sort_name, n.cluster_id limit $2`,
        [like, limit],
      ),
    ]);
    return { changes, nodes };
  },
});
