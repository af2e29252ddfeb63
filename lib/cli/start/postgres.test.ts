import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { CannotStart } from "./cannot-start";
import { startPostgres, type EmbeddedPostgres } from "./postgres";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const ROOT = process.getuid?.() === 0;
let dataDir = "";
let running: EmbeddedPostgres | null = null;
beforeAll(() => {
  dataDir = folder();
});
afterEach(async () => {
  await running?.stop();
  running = null;
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "clearance-pg-"));
  chmodSync(made, 0o755);
  mkdirSync(join(made, "logs"));
  return made;
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ a: unknown }>(sql);
  await client.end();
  return rows[0]?.a;
}
const faultOf = async (dir: string): Promise<string> => {
  const fault: unknown = await startPostgres(dir).then(
    (server) => server.stop().then(() => "it started"),
    (cause: unknown) => cause,
  );
  expect(fault).toBeInstanceOf(CannotStart);
  return (fault as CannotStart).message;
};

test("a first start makes the database, a second finds its data on the same port, and nobody gets in without the password", async () => {
  running = await startPostgres(dataDir);
  await ask(running.url, "create table kept as select 42 as a");
  const port = new URL(running.url).port;
  await expect(ask(`postgresql://postgres:wrong@127.0.0.1:${port}/postgres`, "select 1 as a")).rejects.toThrow(
    "password authentication failed",
  );
  await running.stop();
  running = await startPostgres(dataDir);
  expect(new URL(running.url).port).toBe(port);
  expect(await ask(running.url, "select a from kept")).toBe(42);
  expect(statSync(join(dataDir, "postgres-password")).mode & 0o077).toBe(0);
});

test("a server that a killed start left running is replaced, and the data is there", async () => {
  const left = await startPostgres(dataDir);
  running = await startPostgres(dataDir);
  await left.ended;
  expect(running.pid).not.toBe(left.pid);
  expect(await ask(running.url, "select a from kept")).toBe(42);
});

test("kill -9 of the server leaves a lock that does not stop the next start", async () => {
  const killed = await startPostgres(dataDir);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  expect(existsSync(join(dataDir, "postgres/data/postmaster.pid"))).toBe(true);
  running = await startPostgres(dataDir);
  expect(await ask(running.url, "select a from kept")).toBe(42);
});

test("a lock whose number belongs to somebody else now is not mistaken for a server", async () => {
  const lock = join(dataDir, "postgres/data/postmaster.pid");
  writeFileSync(lock, `${process.pid}\n`);
  running = await startPostgres(dataDir);
  expect(Number(readFileSync(lock, "utf8").split("\n")[0])).toBe(running.pid);
});

test("the port of last time taken by another program: another one is used", async () => {
  const taken = Number(readFileSync(join(dataDir, "postgres/port"), "utf8"));
  const other = createServer();
  await new Promise<void>((done) => other.listen(taken, "127.0.0.1", done));
  running = await startPostgres(dataDir);
  expect(Number(new URL(running.url).port)).not.toBe(taken);
  await new Promise((done) => other.close(done));
});

test("data of another major version is refused in one sentence and left alone", async () => {
  const dir = folder();
  mkdirSync(join(dir, "postgres/data"), { recursive: true });
  writeFileSync(join(dir, "postgres/data/PG_VERSION"), "15\n");
  expect(await faultOf(dir)).toMatch(/^The data in .* belongs to PostgreSQL 15; the embedded one is 18\./);
  expect(readFileSync(join(dir, "postgres/data/PG_VERSION"), "utf8")).toBe("15\n");
  rmSync(dir, { recursive: true });
});

test("a folder that the database's user cannot enter is named, with what to do", async () => {
  const dir = folder();
  const closed = join(dir, "closed");
  mkdirSync(join(closed, "logs"), { recursive: true });
  chmodSync(closed, ROOT ? 0o700 : 0o600);
  const fault = ROOT ? await faultOf(closed) : "not root: the folder is ours";
  expect(fault).toContain(ROOT ? `cannot enter ${closed}. Keep the data where it can` : "not root");
  chmodSync(closed, 0o700);
  rmSync(dir, { recursive: true });
});
