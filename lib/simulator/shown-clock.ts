/**
 * Shown time: what the data centre's clocks say. With a database it is the product's own clock row, read again every two seconds;
 * without one it is kept beside the state and goes on while the simulator is stopped.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import pg from "pg";
import { z } from "zod";

const REREAD_MS = 2000;

const Row = z.object({ realEpoch: z.number(), shownEpoch: z.number(), factor: z.number().positive().max(100_000) });
type Row = z.infer<typeof Row>;

export type ShownClock = {
  /** Shown epoch seconds. */
  now: () => number;
  factor: () => number;
  /** Reads the database's row again; does nothing without one. Throws when the database cannot be reached. */
  reload: () => Promise<void>;
  /** Why the database's row could not be read last time. */
  problem: () => string | null;
  /** False where a database owns the clock. */
  set: (change: { factor?: number; shown?: number }) => boolean;
  close: () => Promise<void>;
};

export async function openClock(options: { stateDir: string; url?: string | undefined; factor?: number | undefined }): Promise<ShownClock> {
  return options.url === undefined ? openOwnClock(options.stateDir, options.factor) : await openDatabaseClock(options.url);
}

function openOwnClock(stateDir: string, factor: number | undefined): ShownClock {
  const file = join(stateDir, "clock.json");
  const real = realSeconds();
  let row: Row = existsSync(file)
    ? Row.parse(JSON.parse(readFileSync(file, "utf8")))
    : { realEpoch: real, shownEpoch: real, factor: factor ?? 1 };
  const keep = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(row));
    renameSync(`${file}.new`, file);
  };
  keep();
  const set = (change: { factor?: number; shown?: number }): boolean => {
    const at = realSeconds();
    row = { realEpoch: at, shownEpoch: change.shown ?? shownAt(row, at), factor: change.factor ?? row.factor };
    keep();
    return true;
  };
  if (factor !== undefined && factor !== row.factor) set({ factor });
  return {
    now: () => shownAt(row, realSeconds()),
    factor: () => row.factor,
    reload: async () => {},
    problem: () => null,
    set,
    close: async () => {},
  };
}

async function openDatabaseClock(url: string): Promise<ShownClock> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5000 });
  pool.on("error", () => {}); // a lost idle connection is replaced at the next read; the last row stays in force until then
  let row = await readRow(pool);
  const reload = async (): Promise<void> => {
    row = await readRow(pool);
  };
  let problem: string | null = null;
  const timer = setInterval(() => {
    reload().then(
      () => (problem = null),
      (cause: unknown) => (problem = `the last reading stays in force: ${cause instanceof Error ? cause.message : String(cause)}`),
    );
  }, REREAD_MS);
  return {
    now: () => shownAt(row, realSeconds()),
    factor: () => row.factor,
    reload,
    problem: () => problem,
    set: () => false,
    close: async () => {
      clearInterval(timer);
      await pool.end();
    },
  };
}

/** The database's own time is the reference, so its offset from this machine's clock is taken out here. */
async function readRow(pool: pg.Pool): Promise<Row> {
  const result = await pool.query(
    `select real_epoch::float8 as "realEpoch", shown_epoch::float8 as "shownEpoch", factor::float8 as factor,
            extract(epoch from clock_timestamp())::float8 as now from clock limit 1`,
  );
  const row = Row.extend({ now: z.number() }).parse(result.rows[0]);
  return { ...row, realEpoch: row.realEpoch - row.now + realSeconds() };
}

const realSeconds = (): number => Date.now() / 1000;
const shownAt = (row: Row, real: number): number => row.shownEpoch + (real - row.realEpoch) * row.factor;
