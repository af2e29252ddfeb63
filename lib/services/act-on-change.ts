import { ACTION_TRAITS } from "@/lib/core/change/actions";
import { ActionRequest } from "@/lib/core/change/action-request";
import { applyAction } from "@/lib/core/change/apply-action";
import type { EffectContext } from "@/lib/core/change/effects/effect";
import { nodesPerLeaf } from "@/lib/core/change/relaxation";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { placesOf, readInput } from "./read-input";
import { refusal, type Refusal } from "./refusal";
import { understandPlan } from "./understand-plan";

type Call = { readonly actor: PersonView; readonly changeId: string; readonly action: string; readonly input: unknown };
type Acted = Result<{ readonly version: number }, Refusal>;
type ActDeps = Pick<Deps, "store" | "clock" | "hash" | "policy" | "newId">;
/** What only the use case that calls this could find out: judged evidence, the outcome of something done by hand. */
type Extra = Partial<Pick<EffectContext, "judged" | "outcome">>;

/** Somebody (usually the worker) writes in between now and then: the person saw no version, so the action is tried on the newer record. */
const TRIES = 5;

/** One action of one person on one change: page, API and CLI come here, and are refused in the same words. Every refusal is kept. */
export async function actOnChange(deps: ActDeps, call: Call, extra: Extra = {}): Promise<Acted> {
  if (!Object.hasOwn(ACTION_TRAITS, call.action)) return err(refusal("not_found", `There is no action "${call.action.slice(0, 60)}".`));
  const unusable = (places: readonly string[]) => err(refusal("invalid", `${call.action} was asked for with unusable fields.`, places));
  const fields = readInput(call.input);
  if (!fields.ok) return unusable(fields.error);
  // The address says what is done; a body that says otherwise is a mistake of whoever sent it.
  const asked = fields.value["action"];
  if (asked !== undefined && asked !== call.action) return unusable([`action: the address says ${call.action}`]);
  const request = ActionRequest.safeParse({ ...fields.value, action: call.action });
  if (!request.success) return unusable(placesOf(request.error.issues));
  for (let attempt = 1; ; attempt += 1) {
    const acted = await once(deps, call, request.data, extra);
    const again = !acted.ok && acted.error.code === "conflict" && request.data.version === undefined && attempt < TRIES;
    if (!again) return acted;
  }
}

async function once(deps: ActDeps, call: Call, request: ActionRequest, extra: Extra): Promise<Acted> {
  const { store } = deps;
  const { actor } = call;
  const s = await store.loadSnapshot(call.changeId as ChangeId);
  if (s === null) return err(refusal("not_found", `There is no change ${call.changeId}.`));
  const now = await deps.clock.now();
  const outside = await outsideOf(deps, s, request);
  if (!outside.ok) return outside;
  const applied = applyAction(s, request, {
    actor: { id: actor.id, roles: actor.roles },
    now,
    policy: deps.policy(s.change.clusterId),
    hash: deps.hash.text,
    id: deps.newId(),
    ...outside.value,
    ...extra,
  });
  const on = "on" in request ? (request.on ?? null) : null;
  if (!applied.ok) {
    const { code, because } = applied.error;
    const facts = { code, on };
    if (code !== "conflict")
      await store.refused(s.change.id, actor.id, now, { action: `${request.action}.refused`, targetId: null, because, facts });
    return err(refusal(code, because));
  }
  const { moves, event } = applied.value;
  const committed = await store.commit({
    changeId: s.change.id,
    version: s.change.version,
    at: now,
    actor: actor.id,
    moves,
    commands: [],
    events: [{ ...event, facts: { ...event.facts, on } }],
    nextAction: null,
    tally: null,
    ticked: null,
    wantedReads: [],
  });
  if (committed.ok) return ok({ version: committed.value.version });
  return err(refusal("conflict", `Change ${s.change.id} was changed by somebody else meanwhile; look at it again.`));
}

/** What the effect of this action needs from outside the record. */
async function outsideOf(
  deps: ActDeps,
  s: Snapshot,
  request: ActionRequest,
): Promise<Result<Pick<EffectContext, "revision" | "rehearsal">, Refusal>> {
  if (request.action === "link-rehearsal") return ok({ rehearsal: await deps.store.loadSnapshot(request.rehearsal as ChangeId) });
  if (request.action !== "edit-plan") return ok({});
  const understood = await understandPlan(deps, request.yaml, nodesPerLeaf(s, await deps.clock.now()));
  if (!understood.ok) return understood;
  const { plan, preview, fingerprint, standingFingerprint } = understood.value;
  if (plan.cluster !== s.change.clusterId) {
    return err(
      refusal("invalid", `A change stays on its cluster; this plan names ${plan.cluster}.`, [`cluster: ${s.change.clusterId} is fixed`]),
    );
  }
  return ok({ revision: { plan, layout: preview.layout, fingerprint, standingFingerprint } });
}
