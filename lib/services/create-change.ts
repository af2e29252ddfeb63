import type { ChangeId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";
import { understandPlan } from "./understand-plan";

/** A plan becomes a change record in PENDING; nothing is touched. Whoever sends it is its author, operator and owner. */
export async function createChange(
  deps: Pick<Deps, "store" | "clock" | "hash">,
  request: { readonly actor: PersonView; readonly yaml: string },
): Promise<Result<{ readonly changeId: ChangeId }, Refusal>> {
  const { actor, yaml } = request;
  if (!actor.roles.includes("operator")) return err(refusal("not_allowed", `Making a change needs an operator; ${actor.name} is none.`));
  const understood = await understandPlan(deps, yaml);
  if (!understood.ok) return understood;
  const { plan, preview, goal, profile, disposable, people, fingerprint, standingFingerprint } = understood.value;
  // Without targets there is nothing to record; every other conflict is kept with the plan and closes its approval.
  if (preview.layout.batches.length === 0) {
    const places = preview.layout.conflicts.map((conflict) => conflict.text);
    return err(refusal("invalid", "The plan names no node that can be planned.", places));
  }
  const id = await deps.store.nextChangeId();
  const operatorId = people.operator[0] ?? actor.id;
  const made = await deps.store.createChange({
    id,
    at: await deps.clock.now(),
    authorId: actor.id,
    operatorId,
    ownerId: operatorId,
    people: { ...people, decisionOwner: people.decisionOwner ?? operatorId },
    yaml,
    plan,
    layout: preview.layout,
    goal,
    profile,
    purpose: disposable ? "rehearsal" : "maintenance",
    fingerprint,
    standingFingerprint,
    event: {
      action: "change.created",
      targetId: null,
      because: plan.title,
      facts: { cluster: plan.cluster, type: plan.type, fingerprint, nodes: preview.layout.batches.flatMap((batch) => batch.nodes).length },
    },
  });
  if (made.ok) return ok({ changeId: made.value.changeId });
  return err(refusal("invalid", `The plan cannot be recorded: ${made.error.because}.`));
}
