import { afterEach, beforeEach, expect, it } from "vitest";
import { aRecord, CHANGE, type TestRecord } from "@/lib/testing/store-contract-record";
import { WorkerWorld } from "@/lib/testing/store-contract-world";

let record: TestRecord;
let world: WorkerWorld;
beforeEach(async () => {
  record = await aRecord();
  world = new WorkerWorld(record);
});
afterEach(async () => {
  world.close();
  await record.close();
});

it(
  "a worker killed in the middle of a command is taken over, and the command acts and is recorded once",
  { timeout: 120_000 },
  async () => {
    world.hold(1);
    const first = await world.worker();
    await world.ask();
    await world.untilSaid(`claimed 1 ${first.pid}`);
    first.kill("SIGKILL");
    const second = await world.worker();
    await world.untilSaid(`recorded 2 ${second.pid}`);
    expect(world.said("acted")).toEqual([`acted 2 ${second.pid}`]);
    expect(await world.command()).toEqual({ state: "succeeded", attempt: 2, result: "done" });
  },
);

it("a worker that was stopped, declared dead and goes on again records nothing", { timeout: 120_000 }, async () => {
  world.hold(1);
  const first = await world.worker();
  await world.ask();
  await world.untilSaid(`claimed 1 ${first.pid}`);
  first.kill("SIGSTOP");
  const second = await world.worker();
  await world.untilSaid(`recorded 2 ${second.pid}`);
  world.release(1);
  first.kill("SIGCONT");
  await world.untilSaid(`late 1 ${first.pid}`);
  expect(world.said("acted")).toEqual([`acted 2 ${second.pid}`]);
  expect(await world.command()).toEqual({ state: "succeeded", attempt: 2, result: "done" });
});

it("with the queues lost, the record alone is enough: commands, ticks and reads are enqueued again", { timeout: 120_000 }, async () => {
  await world.ask();
  await record.sql("delete from dbos.workflow_status");
  const worker = await world.worker();
  await world.untilSaid(`recorded 1 ${worker.pid}`);
  await world.until("a look at the change", () => world.said("ticked").length > 0);
  await world.untilSaid(`read sim-h100 slurm ${worker.pid}`);
  worker.kill("SIGTERM");
  await world.until("its end", () => worker.exitCode === 0);
  expect(await record.sql("select stopped_at is not null as stopped from workers")).toEqual([{ stopped: true }]);
  expect((await record.store.loadSnapshot(CHANGE))?.commands[0]?.state).toBe("succeeded");
});

it("a transaction that hangs gives its locks back", { timeout: 60_000 }, async () => {
  const hanging = await record.pool.connect();
  hanging.on("error", () => undefined);
  await hanging.query("begin");
  await hanging.query("update changes set title = 'mine' where id = $1", [CHANGE]);
  await record.sql("update changes set title = 'theirs' where id = $1", [CHANGE]);
  hanging.release(true);
  expect((await record.store.loadSnapshot(CHANGE))?.change.title).toBe("theirs");
});
