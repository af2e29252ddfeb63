import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

import { CannotStart } from "./cannot-start";
import { lastWords } from "./child-process";
import { freePort } from "./ports";
import { clearLeftovers } from "./postgres-leftovers";
import { postgresPrograms } from "./postgres-programs";
import { closedTo, postgresUser, type PostgresUser } from "./postgres-user";
import { keptSecret } from "./settings";

const MAJOR = "18";
const DATABASE = "clearance";
const UP_WITHIN_MS = 30_000;

/** The embedded database. `ended` resolves when the server is gone, asked or not. */
export type EmbeddedPostgres = {
  readonly url: string;
  readonly pid: number;
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the Postgres that comes with npm over `dataDir`/postgres: initialised at the first start, on loopback, on the port of last time when that
 * is free. Throws `CannotStart` for what a person has to mend.
 */
export async function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const home = join(dataDir, "postgres");
  const data = join(home, "data");
  const user = postgresUser(data);
  refuseClosedFolders(home, user);
  refuseOtherMajor(data);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const bin = await postgresPrograms(home, user);
  const password = keptSecret(dataDir, "postgres-password", () => randomBytes(24).toString("base64url"));
  if (!existsSync(join(data, "PG_VERSION"))) initialise({ bin, home, data, user, password });
  await clearLeftovers(data);
  const port = await freePort(lastPort(home));
  const server = await launch({ bin, data, port, user, logFile: join(dataDir, "logs", "postgres.log") });
  writeFileSync(join(home, "port"), String(port));
  await ensureDatabase(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres`);
  return { ...server, url: `postgresql://postgres:${password}@127.0.0.1:${port}/${DATABASE}` };
}

function refuseClosedFolders(home: string, user: PostgresUser): void {
  const closed = closedTo(home, user);
  if (closed === null) return;
  throw new CannotStart(
    `The embedded database runs as "${user?.name ?? "you"}" and cannot enter ${closed}. Keep the data where it can, for example CLEARANCE_DATA=/var/lib/clearance npm start, or run chmod o+x ${closed}, or give a database of your own with DATABASE_URL.`,
  );
}

function refuseOtherMajor(data: string): void {
  const file = join(data, "PG_VERSION");
  if (!existsSync(file)) return;
  const found = readFileSync(file, "utf8").trim();
  if (found === MAJOR) return;
  throw new CannotStart(
    `The data in ${data} belongs to PostgreSQL ${found}; the embedded one is ${MAJOR}. Dump it with the old version and load it anew, or give a server of that version with DATABASE_URL.`,
  );
}

function lastPort(home: string): number | null {
  const file = join(home, "port");
  const port = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : null;
}

function initialise({
  bin,
  home,
  data,
  user,
  password,
}: {
  bin: string;
  home: string;
  data: string;
  user: PostgresUser;
  password: string;
}): void {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(home, "password-once");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== null) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const argv = [
    `--pgdata=${data}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C",
  ];
  const { status, stderr, error } = spawnSync(join(bin, "initdb"), argv, { ...ids(user), cwd: data, encoding: "utf8" });
  rmSync(passwordFile, { force: true });
  if (status === 0) return;
  rmSync(data, { recursive: true, force: true });
  throw new CannotStart(
    `The embedded database could not be made in ${data}: ${error?.message ?? stderr.trim().split("\n").pop() ?? "initdb failed"}`,
  );
}

const ids = (user: PostgresUser): { uid?: number; gid?: number } => (user === null ? {} : { uid: user.uid, gid: user.gid });

type Launch = { bin: string; data: string; port: number; user: PostgresUser; logFile: string };

async function launch({ bin, data, port, user, logFile }: Launch): Promise<Omit<EmbeddedPostgres, "url">> {
  const log = openSync(logFile, "a");
  chmodSync(logFile, 0o600);
  const flags = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"].flatMap((flag) => ["-c", flag]);
  const server = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...flags], {
    ...ids(user),
    cwd: data,
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  const ended = new Promise<void>((done) => {
    server.once("exit", () => done());
    server.once("error", () => done());
  });
  const up = await Promise.race([ended.then(() => false), answers(port)]);
  if (!up) {
    await stopServer(server, ended);
    throw new CannotStart(`The embedded database did not start: ${lastWords(logFile)} (log: ${logFile})`);
  }
  return { pid: server.pid ?? -1, ended, stop: () => stopServer(server, ended) };
}

/** Detached, so that Ctrl-C reaches only us and the database goes last; SIGINT is its fast shutdown. */
async function stopServer(server: ChildProcess, ended: Promise<void>): Promise<void> {
  server.kill("SIGINT");
  const timer = setTimeout(() => server.kill("SIGQUIT"), 10_000);
  await ended;
  clearTimeout(timer);
}

/** A refused password is an answer too: it says that the server takes connections. */
async function answers(port: number): Promise<boolean> {
  for (const deadline = performance.now() + UP_WITHIN_MS; performance.now() < deadline; await sleep(30)) {
    const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", password: "-", database: "postgres" });
    client.on("error", () => undefined); // told by connect
    const code = await client.connect().then(
      () => "28P01",
      (cause: unknown) => (cause as { code?: string }).code ?? "none",
    );
    await client.end().catch(() => undefined);
    if (code === "28P01") return true;
  }
  return false;
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // the query that meets the loss reports it
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`The embedded database refused its own user (${because}); was postgres-password in the data folder changed?`, {
      cause,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
