import { rowsOf, verifyChain, type ChainVerdict } from "@/lib/core/audit/verify";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";

const SITE = "site";

/** The site's chain begins with the first thing that is done on no change. Something that stands there without a line lost its beginning. */
async function isQuiet({ store }: Pick<Deps, "store">): Promise<boolean> {
  if ((await store.acceptanceJobs()).length > 0) return false;
  const stops = await Promise.all((await store.clusters()).map(({ id }) => store.clusterStop(id)));
  return stops.every((stop) => stop === null);
}

/** Recomputes one chain: every link, then every row and every piece of evidence its lines answer for (R12.3, D17). */
export async function verifyAudit(deps: Pick<Deps, "store" | "hash">, chain: string): Promise<ChainVerdict> {
  const events = await deps.store.auditEvents(chain);
  if (events.length === 0 && chain === SITE && (await isQuiet(deps))) return { chain, intact: true, events: 0, rows: 0, broken: null };
  const refs = new Set(events.flatMap((event) => [...(rowsOf(event.body)?.keys() ?? [])]));
  return verifyChain(chain, events, await deps.store.rowHashes([...refs]), deps.hash);
}

/** The same for whoever names a chain: a name that nothing has is no broken chain. A change that exists without a line is one. */
export async function verifyNamedChain(deps: Pick<Deps, "store" | "hash">, chain: string): Promise<Result<ChainVerdict, Refusal>> {
  const verdict = await verifyAudit(deps, chain);
  const known = verdict.events > 0 || chain === SITE || (await deps.store.planYaml(chain as ChangeId)) !== null;
  return known ? ok(verdict) : err(refusal("not_found", `There is no change ${chain}.`));
}
