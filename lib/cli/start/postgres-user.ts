import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Whom the database runs as: null means as ourselves; root needs another, because Postgres refuses root. */
export type PostgresUser = { readonly uid: number; readonly gid: number; readonly name: string } | null;

/** Owner of an existing data folder, else the system's `postgres`, else `nobody`. */
export function postgresUser(dataFolder: string): PostgresUser {
  if (process.getuid?.() !== 0) return null;
  const accounts = accountsOfSystem();
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { uid, gid, name: accounts.find((account) => account.uid === uid)?.name ?? String(uid) };
  }
  return (
    accounts.find(({ name }) => name === "postgres") ??
    accounts.find(({ name }) => name === "nobody") ?? { uid: 65_534, gid: 65_534, name: "nobody" }
  );
}

function accountsOfSystem(): { name: string; uid: number; gid: number }[] {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    return lines.map((line) => line.split(":")).map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  } catch {
    return []; // a system without this file has no account to choose; the numbers of nobody will do
  }
}

/** The first parent of `path` (itself included) that `user` cannot enter, or null. */
export function closedTo(path: string, user: PostgresUser): string | null {
  const parents: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    parents.unshift(at);
    if (dirname(at) === at) break;
  }
  return parents.find((at) => !mayEnter(at, user)) ?? null;
}

function mayEnter(path: string, user: PostgresUser): boolean {
  if (!existsSync(path)) return true;
  if (user === null) {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false; // the refusal is the answer
    }
  }
  const { mode, uid, gid } = statSync(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}
