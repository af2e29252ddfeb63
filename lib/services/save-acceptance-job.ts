import { readJob } from "@/lib/core/acceptance/read-job";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";

/** Publishes a version of an acceptance job. Versions never change: the same text again is the same version, another text needs a new number (R3.2). */
export async function saveAcceptanceJob(
  deps: Pick<Deps, "store" | "clock" | "hash">,
  request: { readonly actor: PersonView; readonly yaml: string },
): Promise<Result<{ readonly id: string; readonly name: string; readonly version: number }, Refusal>> {
  if (!request.actor.roles.includes("workload_owner"))
    return err(refusal("not_allowed", `Publishing an acceptance job needs a workload owner; ${request.actor.name} is none.`));
  const read = readJob(request.yaml);
  if (!read.ok) {
    const places = read.error.map((one) => `line ${one.line}, ${one.path || "the document"}: ${one.text}`);
    return err(refusal("invalid", "The acceptance job is not usable.", places));
  }
  const spec = read.value;
  const saved = await deps.store.saveAcceptanceJob(
    spec,
    request.yaml,
    request.actor.id,
    deps.hash.text(canonicalJson(spec)),
    await deps.clock.now(),
  );
  if (!saved.ok)
    return err(refusal("conflict", `${spec.name}@${spec.version} exists with other content; a changed job needs a new version.`));
  return ok({ id: saved.value.id, name: spec.name, version: spec.version });
}
