import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import dbos from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { openSchemaEngine } from "./schema-engine";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "migrations");
const OLDEST = 15;
const NEWEST_TRIED = 18;

/** What cannot go on, in one sentence that a person can act on. */
export class CannotMigrate extends Error {}

/**
 * Brings a database up to date: our tables by Prisma's engine, then the tables of the workflow engine, so that `dbos.enqueue_workflow` exists
 * before anybody commits. Running it again, or twice at once, changes nothing. Throws `CannotMigrate` for what a person has to mend.
 */
export async function applyMigrations(connectionString: string): Promise<{ readonly applied: readonly string[] }> {
  const lock = await connect(connectionString);
  try {
    await refuseOtherVersions(lock);
    await lock.query("select pg_advisory_lock(hashtext('clearance.migrations'))");
    const applied = await applyOurs(connectionString);
    await dbos.DBOS.migrate(connectionString);
    return { applied };
  } finally {
    await lock.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined); // the query that meets the loss reports it
  try {
    await client.connect();
    return client;
  } catch (cause) {
    const because =
      cause instanceof AggregateError ? cause.errors.map(String).join("; ") : cause instanceof Error ? cause.message : String(cause);
    throw new CannotMigrate(`The database at ${withoutPassword(connectionString)} cannot be reached: ${because}. Check DATABASE_URL.`, {
      cause,
    });
  }
}

async function refuseOtherVersions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
  const major = Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
  if (major < OLDEST) throw new CannotMigrate(`The database is PostgreSQL ${major}; Clearance needs ${OLDEST} to ${NEWEST_TRIED}.`);
}

async function applyOurs(connectionString: string): Promise<readonly string[]> {
  const { engine, close } = await openSchemaEngine(connectionString);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: {
        baseDir: FOLDER,
        lockfile: { path: "migration_lock.toml", content: readFileSync(join(FOLDER, "migration_lock.toml"), "utf8") },
        shadowDbInitScript: "",
        migrationDirectories: migrations(),
      },
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new CannotMigrate(`The tables could not be brought up to date: ${because}`, { cause });
  } finally {
    await close();
  }
}

const migrations = () =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((path) => ({
      path,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: readFileSync(join(FOLDER, path, "migration.sql"), "utf8") },
      },
    }));

function withoutPassword(connectionString: string): string {
  if (!URL.canParse(connectionString)) return "the given address";
  const { hostname, port, pathname } = new URL(connectionString);
  return `${hostname}:${port || 5432}${pathname}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await run(process.env.DATABASE_URL));

/** The command line: 0, or 1 with one sentence. It exits by itself, because a client library leaves a timer of ten seconds behind. */
async function run(url: string | undefined): Promise<0 | 1> {
  try {
    if (!url)
      throw new CannotMigrate(
        "DATABASE_URL is not set: give the address of the database, for example postgresql://user@host:5432/clearance.",
      );
    const { applied } = await applyMigrations(url);
    console.log(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof CannotMigrate)) throw error;
    console.error(error.message);
    return 1;
  }
}
