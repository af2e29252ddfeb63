import type pg from "pg";
import type { NewChange } from "@/lib/ports/store";
import type { ChangeId, PersonId } from "@/lib/core/kernel/ids";
import type { Move } from "@/lib/core/change/move";
import { goalOf } from "@/lib/core/plan/goal";
import type { Commit } from "@/lib/ports/store";
import { postgresStore, type PostgresStore } from "@/lib/store/postgres-store";
import { openPool } from "@/lib/store/database";
import { aHash } from "./a-hash";
import { aLayout, nodeName } from "./a-layout";
import { NOW } from "./a-moment";
import { PEOPLE } from "./a-person";
import { aPlan } from "./a-plan";
import { freshDatabase, type TestDatabase } from "./test-database";

export type TestRecord = {
  readonly url: string;
  readonly store: PostgresStore;
  readonly pool: pg.Pool;
  /** One statement, its rows. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
};

/** A store on a database of its own, with the people of the builders, at their NOW. */
async function anEmptyRecord(given?: TestDatabase): Promise<TestRecord> {
  const database = given ?? (await freshDatabase());
  const pool = openPool(database.url, 6);
  const store = postgresStore({ pool, hash: aHash });
  await pool.query(
    "update clock set shown_epoch = extract(epoch from $1::timestamptz), real_epoch = extract(epoch from clock_timestamp())",
    [NOW],
  );
  for (const { id, name, roles } of PEOPLE) {
    await pool.query("insert into people (id, name, email, roles) values ($1, $2, $3, $4::role[])", [
      id,
      name,
      `${id.toLowerCase()}@example.org`,
      roles,
    ]);
  }
  return {
    url: database.url,
    store,
    pool,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    close: async () => {
      await store.close();
      await pool.end();
      await database.drop();
    },
  };
}

export const CLUSTER = "sim-h100";
const FACTS = {
  serverModel: "DGX H100",
  accelerator: { model: "NVIDIA H100", count: 8 },
  hca: { model: "ConnectX-7", count: 8 },
  environment: "ubuntu22",
};

/** The cluster of the builders: `nodes` H100 nodes on four leaves, read by Slurm and Prometheus, and one login node. */
export async function withCluster(record: TestRecord, nodes = 12, at = NOW): Promise<TestRecord> {
  const entries = Array.from({ length: nodes }, (_, i) => ({
    name: nodeName(i + 1),
    role: "compute",
    facts: FACTS,
    partitions: ["gpu"],
    leaves: [{ name: `leaf0${(i % 4) + 1}`, fabric: "compute" }],
  }));
  const login = {
    name: "login01",
    role: "login",
    facts: { ...FACTS, accelerator: { model: "none", count: 0 } },
    partitions: [],
    leaves: [],
  };
  await record.store.syncCluster(
    {
      id: CLUSTER,
      title: "Simulated H100",
      production: true,
      disposable: false,
      execution: "automatic",
      timezone: "Europe/Berlin",
      policy: {},
      sources: [
        { name: "slurm", everyMs: 60_000, requiredFor: ["service", "workload"] },
        { name: "prometheus", everyMs: 60_000, requiredFor: [] },
      ],
      topology: { is: "from_scheduler" },
    },
    [...entries, login],
    at,
  );
  return record;
}

export const CHANGE = "CH-1" as ChangeId;

/** A new change on the twelve nodes of the builders. */
export const aNewChange = (overrides: Partial<NewChange> = {}): NewChange => {
  const plan = overrides.plan ?? aPlan();
  return {
    id: CHANGE,
    at: NOW,
    authorId: "AK" as PersonId,
    operatorId: "AK" as PersonId,
    ownerId: "AK" as PersonId,
    people: { operator: [], workloadOwner: [], approver: [], secondEngineer: [], decisionOwner: "DV" as PersonId },
    yaml: "title: GPU driver",
    plan,
    layout: aLayout(),
    goal: goalOf(plan),
    profile: "medium",
    purpose: "maintenance",
    fingerprint: aHash("plan 1"),
    standingFingerprint: aHash("standing 1"),
    event: { action: "change.created", targetId: null, because: plan.title, facts: {} },
    ...overrides,
  };
};

/** A record with cluster and change; on a database of its own unless one is given. */
export async function aRecord(overrides: Partial<NewChange> = {}, given?: TestDatabase): Promise<TestRecord> {
  const record = await withCluster(await anEmptyRecord(given));
  const created = await record.store.createChange(aNewChange(overrides));
  if (!created.ok) throw new Error(created.error.because);
  return record;
}

/** Commits moves as the worker would, at the version that stands now. */
export async function commitMoves(
  record: TestRecord,
  moves: readonly Move[],
  overrides: Partial<Commit> = {},
): ReturnType<PostgresStore["commit"]> {
  const changeId = overrides.changeId ?? CHANGE;
  const [change] = await record.sql<{ version: number }>("select version from changes where id = $1", [changeId]);
  return record.store.commit({
    changeId,
    version: change?.version ?? -1,
    at: NOW,
    actor: "worker",
    moves,
    commands: [],
    events: [{ action: "tested", targetId: null, because: "a test", facts: {} }],
    nextAction: null,
    tally: null,
    ticked: null,
    wantedReads: [],
    ...overrides,
  });
}

export const targetOf = (n: number): string => `${CHANGE}:${nodeName(n)}`;
