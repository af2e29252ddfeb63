import type { ChangeRow } from "@/lib/ports/rows";
import type { Deps } from "./deps";

const AT_MOST = 500;

/** Newest first. */
export async function listChanges(
  deps: Pick<Deps, "store">,
  wanted: { readonly clusterId: string | null; readonly open: boolean | null },
): Promise<readonly ChangeRow[]> {
  return await deps.store.listChanges({
    ...(wanted.clusterId === null ? {} : { clusterId: wanted.clusterId }),
    ...(wanted.open === null ? {} : { open: wanted.open }),
    limit: AT_MOST,
  });
}
