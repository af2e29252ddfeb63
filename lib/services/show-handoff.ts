import { handoffPage, type HandoffPage } from "@/lib/core/handoff/handoff-page";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { ok, type Result } from "@/lib/core/kernel/result";
import type { NodeView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import type { Refusal } from "./refusal";
import { showChange } from "./show-change";

type Shown = { readonly page: HandoffPage; readonly view: ChangeView };

/** A change for whoever takes it over: the record, what the cluster's hosts last said, and the audit's last line. Nothing is written. */
export async function showHandoff(deps: Pick<Deps, "store" | "clock" | "policy">, changeId: string): Promise<Result<Shown, Refusal>> {
  const shown = await showChange(deps, changeId);
  if (!shown.ok) return shown;
  const view = shown.value;
  const [nodes, audit, now] = await Promise.all([deps.store.inventory(view.cluster), deps.store.auditHead(view.id), deps.clock.now()]);
  return ok({ view, page: handoffPage(view, { nodes: nodes.map(nodeAround), audit }, now) });
}

const nodeAround = ({ name, leaves, reported }: NodeView) => ({
  name,
  leaves: (leaves ?? []).map((leaf) => leaf.name),
  reported: Object.fromEntries(
    Object.entries(reported).map(([component, { text, source, observedAt }]) => [
      component,
      { text, source, at: observedAt.toISOString() },
    ]),
  ),
});
