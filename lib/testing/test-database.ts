import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startPostgres } from "./test-database-server";

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

const TEMPLATE = "clearance_template";

/** An own, migrated, empty database on the one Postgres of this test run: about 50 ms, the very first one 2 s. */
export async function freshDatabase(): Promise<TestDatabase> {
  const port = await serverPort();
  const name = `t_${randomBytes(6).toString("hex")}`;
  await admin(port, `create database ${name} template ${TEMPLATE}`);
  return { url: urlOf(port, name), drop: () => admin(port, `drop database if exists ${name} with (force)`) };
}

/** A migrated database on a server of its own, for tests that end the server. */
export async function ownServer(folder: string): Promise<{ readonly url: string; readonly pid: number; readonly port: number }> {
  const server = await startPostgres(folder);
  const url = urlOf(server.port, "postgres");
  migrate(url);
  return { ...server, url };
}

let starting: Promise<number> | undefined;
const serverPort = (): Promise<number> => (starting ??= findOrStart());

/** Test files run in processes of their own: who makes the lock folder starts the server, the others wait for its address. */
async function findOrStart(): Promise<number> {
  const folder = process.env.CLEARANCE_TEST_DATABASE;
  if (!folder) throw new Error("vitest has no global setup lib/testing/test-database-setup.ts: a database could not be stopped again");
  const file = join(folder, "server.json");
  if (takeLock(folder)) {
    try {
      return await startAndMigrate(folder, file);
    } catch (error) {
      writeFileSync(join(folder, "failed"), String(error));
      throw error;
    }
  }
  for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
    if (existsSync(join(folder, "failed"))) throw new Error(readFileSync(join(folder, "failed"), "utf8"));
    if (existsSync(join(folder, "ready"))) return (JSON.parse(readFileSync(file, "utf8")) as { port: number }).port;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the test database did not start within a minute");
}

async function startAndMigrate(folder: string, file: string): Promise<number> {
  const server = await startPostgres(folder);
  writeFileSync(`${file}.new`, JSON.stringify(server));
  renameSync(`${file}.new`, file);
  await admin(server.port, `create database ${TEMPLATE}`);
  migrate(urlOf(server.port, TEMPLATE));
  writeFileSync(join(folder, "ready"), "");
  return server.port;
}

/** In a process of its own: the workflow engine prints while it makes its tables, and tests allow no output. */
function migrate(url: string): void {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const env = { ...process.env, DATABASE_URL: url, NODE_OPTIONS: "" };
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "prisma/apply.ts"], { cwd: root, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`the template could not be migrated: ${stderr}`);
}

function takeLock(folder: string): boolean {
  try {
    mkdirSync(join(folder, "starting"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const urlOf = (port: number, name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`;

async function admin(port: number, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(port, "postgres") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
