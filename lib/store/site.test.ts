import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChangeId, PersonId, TargetId } from "@/lib/core/kernel/ids";
import { aHash } from "@/lib/testing/a-hash";
import { aJobSpec } from "@/lib/testing/a-job";
import { nodeName } from "@/lib/testing/a-layout";
import { at, NOW } from "@/lib/testing/a-moment";
import { aNewChange, aRecord, CHANGE, CLUSTER, commitMoves, withCluster, type TestRecord } from "@/lib/testing/store-contract-record";
import { setClock } from "./clock";

const MR = "MR" as PersonId;
let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

it("stop all holds every change of the cluster and is lifted once (R7.6)", async () => {
  const { store } = record;
  expect(await store.stopCluster("nowhere", MR, "smoke", NOW)).toEqual({ ok: false, error: { code: "unknown_cluster" } });
  expect(await store.stopCluster(CLUSTER, MR, "smoke", NOW)).toMatchObject({ ok: true });
  expect(await store.stopCluster(CLUSTER, MR, "smoke", NOW)).toEqual({ ok: false, error: { code: "already_stopped" } });
  expect(await store.clusterStop(CLUSTER)).toEqual({ ownerId: MR, because: "smoke", since: NOW });
  expect((await store.loadSnapshot(CHANGE))?.holds).toMatchObject([{ kind: "stop_all", byPerson: true, because: "smoke" }]);
  expect(await store.listChanges({ limit: 1 })).toMatchObject([{ held: true }]);
  expect(await store.liftStop(CLUSTER, MR, "no fire", at(1))).toMatchObject({ ok: true });
  expect(await store.liftStop(CLUSTER, MR, "no fire", at(1))).toEqual({ ok: false, error: { code: "not_stopped" } });
  expect(await store.clusterStop(CLUSTER)).toBeNull();
  expect((await store.loadSnapshot(CHANGE))?.holds).toEqual([]);
});

it("an acceptance job's versions are immutable (R3.2)", async () => {
  const { store } = record;
  const spec = aJobSpec();
  expect(await store.saveAcceptanceJob(spec, "a", MR, aHash("a"), NOW)).toEqual({ ok: true, value: { id: "nccl-h100@3" } });
  expect(await store.saveAcceptanceJob(spec, "a", MR, aHash("a"), NOW)).toMatchObject({ ok: true });
  expect(await store.saveAcceptanceJob(spec, "b", MR, aHash("b"), NOW)).toEqual({
    ok: false,
    error: { code: "exists_with_other_content" },
  });
  expect(await store.acceptanceJobs()).toMatchObject([{ id: "nccl-h100@3", spec, fingerprint: aHash("a"), authorId: MR }]);
  expect((await store.loadSnapshot(CHANGE))?.available).toMatchObject([{ jobId: "nccl-h100@3", baselines: [] }]);
});

it("tokens: unknown, revoked, expired ones and those of disabled people open nothing", async () => {
  const token = async (text: string, more = "") => {
    const hash = createHash("sha256").update(text).digest();
    await record.sql(
      `insert into api_tokens (id, person_id, name, hash, scopes${more ? ", " + more.split("=")[0] : ""}) values ($1, 'AK', 't', $2, '{changes}'${more ? ", " + more.split("=")[1] : ""})`,
      [text, hash],
    );
    return hash.toString("hex");
  };
  const { store } = record;
  const good = await token("good");
  expect(await store.personByToken(good, NOW)).toMatchObject({
    person: { id: "AK", roles: ["viewer", "operator"], disabled: false },
    scopes: ["changes"],
  });
  expect(await record.sql("select last_used_at from api_tokens where id = 'good'")).toEqual([{ last_used_at: NOW }]);
  expect(await store.personByToken(await token("old", `expires_at='${at(-1).toISOString()}'`), NOW)).toBeNull();
  expect(await store.personByToken(await token("gone", `revoked_at='${at(-1).toISOString()}'`), NOW)).toBeNull();
  expect(await store.personByToken("not hex", NOW)).toBeNull();
  expect(await store.personByToken(aHash("never seen"), NOW)).toBeNull();
  await record.sql("update people set disabled_at = now(), password_hash = 'h' where id = 'AK'");
  expect(await store.personByToken(good, NOW)).toBeNull();
  expect(await store.passwordOf("ak@example.org")).toMatchObject({ hash: "h", person: { id: "AK", disabled: true } });
  expect(await store.passwordOf("mr@example.org")).toBeNull();
  expect(await store.person("nobody")).toBeNull();
  expect(await store.people()).toHaveLength(7);
});

it("a message is told once, delivered once, and given up when told so", async () => {
  const { store } = record;
  const move = { move: "message" as const, urgency: "page" as const, key: "failed/1", title: "Batch 1 failed", text: "gpu001" };
  await commitMoves(record, [move, move]);
  await commitMoves(record, [{ ...move, key: "second" }]);
  const [first, second] = await record.sql<{ id: string }>("select id from messages order by created_at, dedup_key");
  expect(await record.sql("select count(*)::int as n from messages")).toEqual([{ n: 2 }]);
  expect(await record.sql("select 1 from dbos.workflow_status where queue_name = 'messages'")).toHaveLength(2);
  expect(await store.message(first?.id ?? "")).toMatchObject({
    channel: "webhook",
    attempts: 0,
    notice: { dedupKey: "CH-1/failed/1", urgency: "page" },
  });
  await store.notDelivered(first?.id ?? "", "refused", at(5));
  expect(await store.message(first?.id ?? "")).toMatchObject({ attempts: 1 });
  await store.delivered(first?.id ?? "", at(6));
  await store.notDelivered(second?.id ?? "", "gone", null);
  expect(await store.message(first?.id ?? "")).toBeNull();
  expect(await record.sql("select state from messages order by state")).toEqual([{ state: "delivered" }, { state: "gave_up" }]);
});

it("the sweep enqueues what the record says is due, and nothing twice", async () => {
  await record.sql("delete from dbos.workflow_status");
  await record.sql("update source_reads set next_due_at = $1", [at(-1)]);
  const now = await record.store.clock.now();
  expect(await record.store.sweep(now)).toEqual({ ticks: 1, commands: 0, reads: 3, messages: 0 });
  expect(await record.store.sweep(now)).toEqual({ ticks: 0, commands: 0, reads: 0, messages: 0 });
});

it("health tells the workers that beat from those that went silent or stopped", async () => {
  for (const id of ["w1", "w2", "w3"]) await record.store.workers.beat({ id, host: "h", release: "0" });
  await record.store.workers.stopped("w2");
  await record.sql("update workers set beat_at = now() - interval '1 minute' where id = 'w3'");
  const { workers } = await record.store.health();
  expect(new Map(workers.map((w) => [w.id, w.alive]))).toEqual(
    new Map([
      ["w1", true],
      ["w2", false],
      ["w3", false],
    ]),
  );
});

it("a node that configuration and scheduler no longer name is retired, not deleted, and comes back as itself", async () => {
  await withCluster(record, 11);
  expect((await record.store.inventory(CLUSTER)).map((n) => n.name)).not.toContain("gpu012");
  await withCluster(record, 12);
  expect((await record.store.inventory(CLUSTER)).map((n) => n.name)).toContain("gpu012");
  expect((await record.store.loadSnapshot(CHANGE))?.targets).toHaveLength(12);
});

it("shown time runs as fast as the factor says, goes on from where it is and never back", async () => {
  const before = await record.store.clock.now();
  await setClock(record.pool, { factor: 60, jumpMs: 3_600_000 });
  const after = await record.store.clock.now();
  expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
  expect(await record.store.clock.factor()).toBe(60);
  await expect(setClock(record.pool, { factor: 61 })).rejects.toThrow(/clock_factor/);
});

it("a change of 1,024 targets is loaded whole, in well under a second", async () => {
  await withCluster(record, 1024);
  const nodes = Array.from({ length: 1024 }, (_, i) => ({
    name: nodeName(i + 1),
    canary: i === 0,
    mode: "update" as const,
    class: "c",
    leaves: [],
    gpus: 8,
    rollback: "tested" as const,
  }));
  const layout = {
    batches: Array.from({ length: 256 }, (_, b) => ({ index: b + 1, nodes: nodes.slice(b * 4, b * 4 + 4) })),
    notPlanned: [],
    batchSize: { asked: 4, used: 4, because: null },
    lowerBound: 256,
    findings: [],
    conflicts: [],
  };
  const id = "CH-1024" as ChangeId;
  expect(await record.store.createChange(aNewChange({ id, layout }))).toMatchObject({ ok: true });
  const moves = [1, 2, 3, 4].map((n) => ({
    move: "target" as const,
    id: `${id}:${nodeName(n)}` as TargetId,
    from: "waiting" as const,
    to: "checking" as const,
    aim: "goal" as const,
    stage: 0,
    generation: 1,
    deadlineAt: null,
    because: "",
  }));
  expect(await commitMoves(record, moves, { changeId: id })).toMatchObject({ ok: true });
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const from = performance.now();
    const snapshot = await record.store.loadSnapshot(id);
    times.push(performance.now() - from);
    expect(snapshot?.targets).toHaveLength(1024);
    expect(snapshot?.targets.filter((t) => t.board !== null)).toHaveLength(4);
  }
  expect(Math.min(...times)).toBeLessThan(1_000);
});
