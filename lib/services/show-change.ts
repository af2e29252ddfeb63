import type { ChangeView } from "@/lib/core/change/view/change-view";
import { toChangeView } from "@/lib/core/change/view/to-change-view";
import { decide } from "@/lib/core/engine/decide";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";

/** The record as page, API and CLI show it. What stands still is explained by the same look that decides; nothing is written. */
export async function showChange(deps: Pick<Deps, "store" | "clock" | "policy">, changeId: string): Promise<Result<ChangeView, Refusal>> {
  const snapshot = await deps.store.loadSnapshot(changeId as ChangeId);
  if (snapshot === null) return err(refusal("not_found", `There is no change ${changeId}.`));
  const now = await deps.clock.now();
  const policy = deps.policy(snapshot.change.clusterId);
  const evidence = await deps.store.wholeEvidence(snapshot.change.id);
  return ok(toChangeView(snapshot, policy, now, decide(snapshot, policy, now).waits, evidence));
}
