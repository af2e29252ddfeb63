import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { freePort } from "@/lib/cli/start/ports";
import { postgresPrograms } from "@/lib/cli/start/postgres-programs";
import { postgresUser } from "@/lib/cli/start/postgres-user";

type RunningServer = { readonly pid: number; readonly port: number };

/**
 * Starts the Postgres that comes with npm in `folder` (made here), detached, with durability off. As root it runs as another user, because
 * Postgres refuses root, and from a copy of its programs when that user may not enter the folder they are installed in. A folder that holds a database already
 * is started again, on `port` when given.
 */
export async function startPostgres(folder: string, port?: number): Promise<RunningServer> {
  const data = join(folder, "data");
  const owner = postgresUser(data);
  const user = owner === null ? {} : { uid: owner.uid, gid: owner.gid };
  mkdirSync(data, { recursive: true, mode: 0o755 });
  if (owner !== null) chownSync(data, owner.uid, owner.gid);
  const bin = await postgresPrograms(folder, owner);
  if (!existsSync(join(data, "PG_VERSION"))) initialise(join(bin, "initdb"), data, user);
  for (let left = 3; ; left--) {
    const at = port ?? (await freePort(null));
    const pid = await launch(join(bin, "postgres"), data, at, user);
    if (pid !== null) return { pid, port: at };
    if (left === 0) throw new Error(`postgres did not start: ${readFileSync(join(data, "server.log"), "utf8").slice(-2000)}`);
  }
}

function initialise(program: string, data: string, user: object): void {
  const flags = [`--pgdata=${data}`, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const init = spawnSync(program, flags, { ...user, cwd: data, encoding: "utf8" });
  if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? init.stderr}`);
}

const FLAGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  unix_socket_directories: "",
  listen_addresses: "127.0.0.1",
};

async function launch(program: string, data: string, port: number, user: object): Promise<number | null> {
  const log = openSync(join(data, "server.log"), "w");
  const flags = Object.entries(FLAGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(program, ["-D", data, "-p", String(port), ...flags], {
    ...user,
    cwd: data,
    detached: true,
    stdio: ["ignore", log, log],
  });
  child.unref();
  let ended = false;
  child.once("exit", () => (ended = true));
  child.once("error", () => (ended = true));
  for (const deadline = performance.now() + 20_000; performance.now() < deadline && !ended;) {
    if (readFileSync(join(data, "server.log"), "utf8").includes("ready to accept connections")) return child.pid ?? null;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}
