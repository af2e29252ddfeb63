import pg from "pg";
import type { HashText } from "@/lib/core/kernel/hash";

/** What a statement needs: the pool, or the client of a transaction. */
export type Sql = { query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>> };
export type Database = { readonly pool: pg.Pool; readonly hash: HashText };

const INT8 = 20;
/** A process that hangs in the middle of a transaction keeps its locks; after this long without a statement the database ends it (MODEL 5.4). */
const STALLED_MS = 10_000;

/** Instants come as UTC (row hashes depend on it) and bigint as number: our ids and sequences stay far below 2^53. */
export function openPool(connectionString: string, max = 10): pg.Pool {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text")),
  };
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    options: `-c TimeZone=UTC -c idle_in_transaction_session_timeout=${STALLED_MS}`,
  });
  pool.on("error", () => undefined); // a lost idle connection: the next query makes another or reports
  return pool;
}

/** Two transactions that locked in another order, or met a snapshot that is gone: nothing was written, so it is safe to do it again. */
const AGAIN = new Set(["40001", "40P01"]);
const ATTEMPTS = 4;

export const transact = <T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> => attempt(pool, "begin", work);
export const readOnly = <T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> =>
  attempt(pool, "begin isolation level repeatable read read only", work);

async function attempt<T>(pool: pg.Pool, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      return await once(pool, begin, work);
    } catch (error) {
      if (left === 0 || !AGAIN.has((error as { code?: string }).code ?? "")) throw error;
    }
  }
}

async function once<T>(pool: pg.Pool, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const lost = (cause: Error): void => void (broken = cause); // the query under way reports it; without a listener the process would end
  client.on("error", lost);
  try {
    await client.query(begin);
    const result = await work(client as Sql);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((cause: unknown) => (broken = cause instanceof Error ? cause : new Error(String(cause))));
    throw error;
  } finally {
    client.off("error", lost);
    client.release(broken);
  }
}

export async function rows<Row extends pg.QueryResultRow>(sql: Sql, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

export async function row<Row extends pg.QueryResultRow>(sql: Sql, text: string, values: readonly unknown[] = []): Promise<Row | null> {
  return (await sql.query<Row>(text, values)).rows[0] ?? null;
}
