import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import type { HashText } from "@/lib/core/kernel/hash";
import type { Clock } from "@/lib/ports/clock";
import type { Store } from "@/lib/ports/store";
import type { WorkerRegistry } from "@/lib/ports/worker-registry";
import { PrismaClient } from "@/prisma/generated/client";
import { acceptanceJobs } from "./acceptance-jobs";
import { audit } from "./audit";
import { baselines } from "./baselines";
import { changes } from "./changes";
import { checkEvidence } from "./check-evidence";
import { databaseClock } from "./clock";
import { clusterStop } from "./cluster-stop";
import { commands } from "./commands";
import { commit } from "./commit/commit";
import { createChange } from "./create-change";
import { openPool, type Database } from "./database";
import { findThings } from "./find-things";
import { finishCommand } from "./finish-command";
import { inventory } from "./inventory";
import { nodeRecord } from "./node-record";
import { loadSnapshot } from "./load-snapshot/load-snapshot";
import { loadEvidence } from "./load-snapshot/load-work";
import { nextChangeId } from "./next-change-id";
import { observing } from "./observing";
import { outbox } from "./outbox";
import { people } from "./people";
import { planYaml } from "./plan-yaml";
import { sweep } from "./sweep";
import { syncCluster } from "./sync-cluster";
import { tokens } from "./tokens";
import { health, workerRegistry } from "./workers";

export type PostgresStore = Store & { readonly clock: Clock; readonly workers: WorkerRegistry; close(): Promise<void> };

/**
 * The record in Postgres. `pool`, when given, must come from `openPool` and is the caller's to end; otherwise the store makes and ends its own.
 * `hash` is SHA-256 of UTF-8 text.
 */
export function postgresStore(
  options: { readonly hash: HashText } & ({ readonly pool: pg.Pool } | { readonly connectionString: string; readonly max?: number }),
): PostgresStore {
  const pool = "pool" in options ? options.pool : openPool(options.connectionString, options.max);
  const database: Database = { pool, hash: options.hash };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    nextChangeId: nextChangeId(database),
    planYaml: planYaml(database),
    createChange: createChange(database),
    loadSnapshot: loadSnapshot(database),
    wholeEvidence: loadEvidence(database),
    commit: commit(database),
    checkEvidence: checkEvidence(database),
    ...changes(database),
    ...clusterStop(database),
    ...commands(database),
    finishCommand: finishCommand(database),
    sweep: sweep(database),
    ...observing(database),
    syncCluster: syncCluster(database),
    ...inventory(database),
    ...nodeRecord(database),
    ...findThings(database),
    ...acceptanceJobs(database, prisma),
    ...baselines(database),
    ...people(prisma),
    ...tokens(database, prisma),
    ...audit(database),
    ...outbox(prisma),
    ...health(database),
    clock: databaseClock(pool),
    workers: workerRegistry(database),
    close: async () => {
      await prisma.$disconnect();
      if (!("pool" in options)) await pool.end();
    },
  };
}
