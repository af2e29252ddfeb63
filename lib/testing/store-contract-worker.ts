// A worker process whose commands do one thing in a world that is a folder. Started by tests, which hold, stop and kill it.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChangeId, CommandKey } from "@/lib/core/kernel/ids";
import { postgresStore } from "@/lib/store/postgres-store";
import { startWorker } from "@/lib/worker/start-worker";
import { workerSettings } from "@/lib/worker/worker-parts";
import { aHash } from "./a-hash";

const databaseUrl = process.env["DATABASE_URL"] ?? "";
const folder = process.env["WORLD_FOLDER"] ?? "";
const journal = (...words: readonly (string | number)[]): void => appendFileSync(join(folder, "journal"), `${words.join(" ")}\n`);
const file = (key: string): string => join(folder, key.replaceAll("/", "_"));

async function main(): Promise<void> {
  const store = postgresStore({ connectionString: databaseUrl, hash: aHash, max: 5 });

  /** Claim, perform, record; `hold-<attempt>` in the folder keeps it between claim and deed. */
  const run = async (key: string, worker: string): Promise<void> => {
    const claimed = await store.claimCommand(key as CommandKey, worker, await store.clock.now());
    if (claimed === null) return;
    journal("claimed", claimed.attempt, process.pid);
    while (existsSync(join(folder, `hold-${claimed.attempt}`))) await new Promise((resolve) => setTimeout(resolve, 20));
    const isDone = existsSync(file(key));
    if (!isDone) {
      writeFileSync(file(key), "done");
      journal("acted", claimed.attempt, process.pid);
    }
    const recorded = await store.finishCommand({
      key: claimed.key,
      attempt: claimed.attempt,
      at: await store.clock.now(),
      state: "succeeded",
      outcome: { result: isDone ? "already" : "done", because: "the folder says so" },
      evidence: [],
      evidenceSha: null,
      observations: [],
      boots: [],
      run: null,
    });
    journal(recorded, claimed.attempt, process.pid);
  };

  const tick = async (changeId: string, wakeSeq: number): Promise<void> => {
    const unseen = await store.unseenWake(changeId as ChangeId, wakeSeq);
    if (unseen === null) return;
    journal("ticked", unseen.seen, process.pid);
    const lookAgainAt = new Date((await store.clock.now()).getTime() + 3_600_000);
    const nextAction = { by: "nobody", because: "a test" } as const;
    await store.ticked({ changeId: changeId as ChangeId, seen: unseen.seen, lookAgainAt, wantedReads: [], nextAction, tally: {} });
  };

  const say = (level: string) => (facts: unknown, text: string) => journal("log", level, text, JSON.stringify(facts));
  const worker = await startWorker(
    {
      tick,
      run,
      observe: async (clusterId, source) => {
        journal("read", clusterId, source, process.pid);
        const startedAt = await store.clock.now();
        await store.recordRead({
          clusterId,
          source,
          startedAt,
          complete: true,
          listed: 0,
          evidence: [],
          observations: [],
          boots: [],
          nextInMs: 3_600_000,
        });
      },
      deliver: async (messageId) => {
        journal("delivered", messageId, process.pid);
        await store.delivered(messageId, await store.clock.now());
      },
      sweep: async () => void (await store.sweep(await store.clock.now())),
      clockFactor: () => store.clock.factor(),
      registry: store.workers,
      log: { info: say("info"), warn: say("warn"), error: say("error") },
    },
    { databaseUrl, settings: workerSettings(process.env) },
  );
  process.once(
    "SIGTERM",
    () =>
      void worker
        .stop()
        .then(store.close)
        .then(() => process.exit(0)),
  );
  journal("ready", process.pid);
}

main().catch((error: unknown) => {
  journal("broke", String(error));
  process.exit(1);
});
