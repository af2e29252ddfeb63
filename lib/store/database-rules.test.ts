import { afterAll, beforeAll, expect, it } from "vitest";
import { ALLOWED, aGuardedRecord, REFUSED } from "@/lib/testing/store-contract-rules";
import type { TestRecord } from "@/lib/testing/store-contract-record";

let record: TestRecord;
beforeAll(async () => {
  record = await aGuardedRecord();
});
afterAll(() => record.close());

/** In a transaction that is always undone; deferred rules are asked at its end. */
async function attempt(statement: string): Promise<string | null> {
  const client = await record.pool.connect();
  try {
    await client.query("begin");
    await client.query(statement);
    await client.query("set constraints all immediate");
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

it.each(REFUSED)("the database refuses %s", async (_name, statement, says) => {
  expect(await attempt(statement)).toMatch(says);
});

it.each(ALLOWED)("the database allows %s", async (_name, statement) => {
  expect(await attempt(statement)).toBeNull();
});
