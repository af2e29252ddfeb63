import type { CommandKey } from "@/lib/core/kernel/ids";
import type { Deps } from "./deps";
import { fencedScheduler } from "./perform/fenced-scheduler";
import { perform } from "./perform/perform";
import { unknown, type Performed } from "./perform/performed";

/**
 * One command, at most once as far as the record is concerned: claim, perform, record (MODEL 5.3). A worker that was declared dead and wakes
 * up records nothing.
 */
export async function runCommand(deps: Deps, { key, worker }: { readonly key: CommandKey; readonly worker: string }): Promise<void> {
  const { store, clock, log } = deps;
  const command = await store.claimCommand(key, worker, await clock.now());
  if (command === null) return;
  const world = deps.world(command.clusterId);
  const performed =
    world === null
      ? unknown(`the configuration no longer names the cluster ${command.clusterId}`)
      : await performSafely(deps, world, command, worker);
  if (performed.is === "started") {
    await store.storeHandle(key, command.attempt, performed.handle);
    return;
  }
  const { outcome, evidence, observations, boots, run, state } = performed;
  const evidenceSha = evidence[0]?.sha256 ?? null;
  const recorded = await store.finishCommand({
    key,
    attempt: command.attempt,
    at: await clock.now(),
    state,
    outcome,
    evidence,
    evidenceSha,
    observations,
    boots,
    run,
  });
  log.info({ key, attempt: command.attempt, state, recorded }, outcome.because);
}

async function performSafely(
  deps: Deps,
  world: NonNullable<ReturnType<Deps["world"]>>,
  command: Parameters<typeof perform>[1],
  worker: string,
): Promise<Performed> {
  try {
    const stillMine = () => ofRecord(deps.store.ownsCommand(command.key, command.attempt));
    return await perform(
      {
        world: { ...world, scheduler: fencedScheduler(world.scheduler, stillMine) },
        hash: deps.hash,
        now: () => deps.clock.now(),
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        observer: `worker ${worker}`,
        storeHandle: (handle) => ofRecord(deps.store.storeHandle(command.key, command.attempt, handle)),
        handleOf: async (key) =>
          (await ofRecord(deps.store.openHandles(command.clusterId))).find((open) => open.key === key)?.handle ?? null,
      },
      command,
    );
  } catch (cause) {
    // Nothing is said of the world when the record is away: the command is begun again, reads the real state first and finds what was done (R9.4).
    if (cause instanceof RecordAway) throw cause;
    // A bug or broken infrastructure: whether the world was changed is unknown, and is said so.
    deps.log.error({ key: command.key, cause: String(cause) }, "a command broke off");
    return unknown(`performing it broke off: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** The record did not answer in the middle of a command. */
class RecordAway extends Error {}

const ofRecord = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    throw new RecordAway("the record did not answer", { cause });
  });
