import pg from "pg";
import { expect, it } from "vitest";
import { applyMigrations } from "@/prisma/apply";
import { freshDatabase } from "./test-database";

it("gives every test a migrated database of its own, in which workflows can be enqueued", async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as tables, to_regproc('dbos.enqueue_workflow') is not null as workflows from pg_tables where schemaname = 'public'",
  );
  await client.end();
  expect(one.url).not.toBe(two.url);
  expect(rows).toEqual([{ tables: 51, workflows: true }]);
  await Promise.all([one.drop(), two.drop()]);
});

it("migrating again changes nothing", async () => {
  const database = await freshDatabase();
  expect(await applyMigrations(database.url)).toEqual({ applied: [] });
  await database.drop();
});

it("an unreachable database is one sentence without the password", async () => {
  await expect(applyMigrations("postgresql://someone:secret@127.0.0.1:1/clearance")).rejects.toThrow(
    "The database at 127.0.0.1:1/clearance cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL.",
  );
});
