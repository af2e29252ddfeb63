import { decide } from "@/lib/core/engine/decide";
import { rulingEvents } from "@/lib/core/engine/ruling-events";
import { wantedReads } from "@/lib/core/engine/wanted-reads";
import { nextAction } from "@/lib/core/change/next-action";
import { tally } from "@/lib/core/change/tally";
import type { ChangeId } from "@/lib/core/kernel/ids";
import type { Deps } from "./deps";

/** How often one look decides again because somebody wrote meanwhile; after that the next wake or the sweep looks. */
const TRIES = 5;

/**
 * One look at one change: load, decide, commit (MODEL 5.2). Deciding is `decide`'s alone.
 * `wakeSeq`: the wake that asked; a look that already covered it returns at once.
 */
export async function tick(
  deps: Pick<Deps, "store" | "clock" | "log" | "policy">,
  wake: { readonly changeId: ChangeId; readonly wakeSeq: number },
): Promise<void> {
  const { store, clock, log, policy } = deps;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const unseen = await store.unseenWake(wake.changeId, wake.wakeSeq);
    if (unseen === null) return;
    const snapshot = await store.loadSnapshot(wake.changeId);
    if (snapshot === null) return;
    const now = await clock.now();
    const rules = policy(snapshot.change.clusterId);
    const ruling = decide(snapshot, rules, now);
    const hints = { nextAction: nextAction(snapshot, rules, now), tally: tally(snapshot.targets) };
    const look = { seen: unseen.seen, lookAgainAt: ruling.lookAgainAt };
    const reads = wantedReads(snapshot);
    if (ruling.moves.length === 0 && ruling.commands.length === 0) {
      await store.ticked({ changeId: wake.changeId, ...look, wantedReads: reads, ...hints });
      return;
    }
    const committed = await store.commit({
      changeId: wake.changeId,
      version: snapshot.change.version,
      at: now,
      actor: "worker",
      moves: ruling.moves,
      commands: ruling.commands,
      events: rulingEvents(snapshot, ruling),
      ...hints,
      ticked: look,
      wantedReads: reads,
    });
    if (committed.ok) return;
  }
  log.warn({ changeId: wake.changeId, tries: TRIES }, "somebody else kept writing; the next wake looks again");
}
