import { expandHostlist } from "@/lib/core/kernel/hostlist";
import { loadEnv } from "@/lib/env";

import { DEMO_PEOPLE, type DemoPerson } from "./demo-people";
import { wired } from "./wired";

/** What the sign-in page shows. `record` is null when the database does not answer. */
type SignInView = {
  readonly demo: { readonly people: readonly DemoPerson[]; readonly clusters: number; readonly nodes: number } | null;
  readonly openIdName: string | null;
  readonly record: { readonly at: Date; readonly workers: number } | null;
};

export async function loadSignIn(): Promise<SignInView> {
  const { demo, config } = await loadEnv();
  const nodes = config.clusters.flatMap((cluster) => cluster.nodes).map(({ match }) => expandHostlist(match));
  const total = nodes.reduce((sum, names) => sum + (names.ok ? names.value.length : 0), 0);
  return {
    demo: demo ? { people: DEMO_PEOPLE, clusters: config.clusters.length, nodes: total } : null,
    openIdName: config.auth.oidc?.name ?? null,
    record: await recordState(),
  };
}

async function recordState(): Promise<SignInView["record"]> {
  try {
    const { deps } = await wired();
    const health = await deps.store.health();
    return { at: health.now, workers: health.workers.filter(({ alive }) => alive).length };
  } catch {
    return null; // shown as "not reachable"; /api/v1/health logs why
  }
}
