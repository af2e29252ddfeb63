import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { freshDatabase, type TestDatabase } from "@/lib/testing/test-database";

import { openClock } from "./shown-clock";

let stateDir: string;
let database: TestDatabase;
beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), "sim-"));
  database = await freshDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(stateDir, { recursive: true, force: true });
});

describe("a clock of its own", () => {
  it("keeps its shown time and its factor over a restart", async () => {
    const first = await openClock({ stateDir, factor: 10 });
    first.set({ shown: 2_000_000_000 });
    expect(first.now()).toBeGreaterThanOrEqual(2_000_000_000);
    await first.close();
    const second = await openClock({ stateDir });
    expect([second.factor(), second.now() >= 2_000_000_000, second.now() < 2_000_001_000]).toEqual([10, true, true]);
  });
});

describe("the database's clock", () => {
  const setRow = async (shown: number, factor: number): Promise<void> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("delete from clock");
    await client.query(
      "insert into clock (id, real_epoch, shown_epoch, factor) values (1, extract(epoch from clock_timestamp()), $1, $2)",
      [shown, factor],
    );
    await client.end();
  };

  it("is read at the start and at every reload, and is not ours to set", async () => {
    await setRow(1_900_000_000, 60);
    const clock = await openClock({ stateDir, url: database.url, factor: 5 });
    expect(clock.factor()).toBe(60);
    expect(clock.now() - 1_900_000_000).toBeLessThan(60 * 20);
    expect(clock.set({ factor: 1 })).toBe(false);
    await setRow(1_950_000_000, 2);
    await clock.reload();
    expect([clock.factor(), clock.now() >= 1_950_000_000 - 1]).toEqual([2, true]);
    await clock.close();
  });
});
