import { z } from "zod";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { placesOf, readInput } from "./read-input";
import { refusal, type Refusal } from "./refusal";

const Input = z.strictObject({ reason: z.string().trim().min(3).max(2000) });

/** stop-all: any operator, at once, every change of the cluster; lift-stop: an approver (R7.6). */
export async function actOnCluster(
  deps: Pick<Deps, "store" | "clock">,
  request: { readonly actor: PersonView; readonly clusterId: string; readonly action: string; readonly input: unknown },
): Promise<Result<null, Refusal>> {
  const { actor, clusterId, action } = request;
  if (action !== "stop-all" && action !== "lift-stop")
    return err(refusal("not_found", `A cluster has the actions stop-all and lift-stop, not "${action.slice(0, 60)}".`));
  const needed = action === "stop-all" ? "operator" : "approver";
  const at = await deps.clock.now();
  if (!actor.roles.includes(needed)) {
    const because = `${action} needs ${needed === "operator" ? "an operator" : "an approver"}; ${actor.name} is none.`;
    await deps.store.refused("site", actor.id, at, { action: `${action}.refused`, targetId: null, because, facts: { cluster: clusterId } });
    return err(refusal("not_allowed", because));
  }
  const unusable = (places: readonly string[]) => err(refusal("invalid", "Say why, in 3 to 2,000 characters.", places));
  const fields = readInput(request.input);
  if (!fields.ok) return unusable(fields.error);
  const input = Input.safeParse(fields.value);
  if (!input.success) return unusable(placesOf(input.error.issues));
  const done =
    action === "stop-all"
      ? await deps.store.stopCluster(clusterId, actor.id, input.data.reason, at)
      : await deps.store.liftStop(clusterId, actor.id, input.data.reason, at);
  if (done.ok) return ok(null);
  if (done.error.code === "unknown_cluster") return err(refusal("not_found", `No cluster of the configuration is called "${clusterId}".`));
  return err(
    refusal("closed", done.error.code === "already_stopped" ? `${clusterId} is stopped already.` : `${clusterId} is not stopped.`),
  );
}
