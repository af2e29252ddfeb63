import type { ChangeId } from "@/lib/core/kernel/ids";
import { row, type Database } from "./database";

/** "CH-101", "CH-102" ...: never given twice. */
export const nextChangeId =
  ({ pool }: Pick<Database, "pool">) =>
  async (): Promise<ChangeId> => {
    const next = await row<{ number: number }>(pool, "select nextval('change_numbers') as number");
    return `CH-${next?.number ?? ""}` as ChangeId;
  };
