import { afterAll, beforeAll, expect, it } from "vitest";
import { aRecord, CHANGE, CLUSTER, type TestRecord } from "@/lib/testing/store-contract-record";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

it("finds changes and nodes by a part of their name, in any case, at most as many as asked", async () => {
  const { store } = record;
  expect((await store.findThings(CHANGE.toLowerCase(), 5)).changes).toMatchObject([{ id: CHANGE }]);
  const [some] = (await store.inventory(CLUSTER)).map(({ name }) => name);
  const found = await store.findThings(some!.toUpperCase(), 5);
  expect(found.nodes[0]).toMatchObject({ name: some, cluster: CLUSTER });
  expect((await store.findThings("", 2)).nodes).toHaveLength(2);
});

it("letters are letters: no pattern, no statement", async () => {
  for (const wanted of ["%", "_", "\\", "'; drop table changes; --", "zzz"])
    expect(await record.store.findThings(wanted, 5)).toEqual({ changes: [], nodes: [] });
});
