import type { ChangeId } from "@/lib/core/kernel/ids";
import { row, type Database } from "./database";

export const planYaml =
  ({ pool }: Pick<Database, "pool">) =>
  async (changeId: ChangeId): Promise<string | null> => {
    const sql = "select p.yaml from plans p join changes c on c.id = p.change_id and c.plan_revision = p.revision where c.id = $1";
    return (await row<{ yaml: string }>(pool, sql, [changeId]))?.yaml ?? null;
  };
