import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ChangeNews } from "@/lib/ports/change-feed";
import { aRecord, CHANGE, CLUSTER, commitMoves, type TestRecord } from "@/lib/testing/store-contract-record";
import { changeFeed } from "./change-feed";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

const aListener = () => {
  const news: ChangeNews[] = [];
  const lost = vi.fn();
  return { news, lost, onNews: (one: ChangeNews) => void news.push(one), onLost: lost };
};
const listening = () =>
  record.sql<{ pid: number }>("select pid from pg_stat_activity where datname = current_database() and query = 'listen clearance_changes'");

it("every written version is told to everyone who listens, once, by one connection; what is not committed is not", async () => {
  const feed = changeFeed(record.url);
  const [one, two] = [aListener(), aListener()];
  const leave = await feed.subscribe(one);
  await feed.subscribe(two);
  expect(await listening()).toHaveLength(1);
  const [before] = await record.sql<{ version: number }>("select version from changes where id = $1", [CHANGE]);
  expect(await commitMoves(record, [])).toMatchObject({ ok: true });
  await record.sql("select pg_notify('clearance_changes', '{\"not\": \"ours\"}'), pg_notify('clearance_changes', 'nonsense')");
  expect(await commitMoves(record, [], { version: -1 })).toMatchObject({ ok: false });
  await vi.waitFor(() => expect(two.news).toHaveLength(1));
  expect(one.news).toEqual([{ change: CHANGE, cluster: CLUSTER, version: (before?.version ?? 0) + 1 }]);
  leave();
  expect(await commitMoves(record, [])).toMatchObject({ ok: true });
  await vi.waitFor(() => expect(two.news).toHaveLength(2));
  expect(one.news).toHaveLength(1);
  await feed.close();
  expect([one.lost.mock.calls.length, two.lost.mock.calls.length]).toEqual([0, 1]);
  await vi.waitFor(async () => expect(await listening()).toEqual([]));
});

it("a lost connection is told once, and the next subscriber opens another", async () => {
  const feed = changeFeed(record.url);
  const one = aListener();
  await feed.subscribe(one);
  for (const { pid } of await listening()) await record.sql("select pg_terminate_backend($1)", [pid]);
  await vi.waitFor(() => expect(one.lost).toHaveBeenCalledTimes(1));
  const two = aListener();
  const leave = await feed.subscribe(two);
  expect(await commitMoves(record, [])).toMatchObject({ ok: true });
  await vi.waitFor(() => expect(two.news).toHaveLength(1));
  expect(one.news).toEqual([]);
  leave();
  await vi.waitFor(async () => expect(await listening()).toEqual([]));
});

it("a record that cannot be reached is said at once, and later subscribers ask again", async () => {
  const feed = changeFeed("postgresql://nobody@127.0.0.1:1/none");
  await expect(feed.subscribe(aListener())).rejects.toThrow(/ECONNREFUSED/);
  await expect(feed.subscribe(aListener())).rejects.toThrow(/ECONNREFUSED/);
  await feed.close();
});
