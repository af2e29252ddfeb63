import { paths } from "@/lib/client/paths";
import { showChange } from "@/lib/services/show-change";

import { requirePerson } from "./session";
import { wired } from "./wired";

const MOST_OPEN = 40;

/** Every open change in one sentence; what runs or is held first. */
export async function loadHandoffs() {
  await requirePerson(paths.handoffs());
  const { deps } = await wired();
  const [open, now] = await Promise.all([deps.store.listChanges({ open: true, limit: 500 }), deps.clock.now()]);
  const shown = await Promise.all(open.slice(0, MOST_OPEN).map(({ id }) => showChange(deps, id)));
  const changes = shown.flatMap((one) => (one.ok ? [one.value] : []));
  const begun = changes.filter(({ startedAt }) => startedAt !== null);
  return {
    changes: [...begun, ...changes.filter(({ startedAt }) => startedAt === null)],
    notShown: Math.max(0, open.length - MOST_OPEN),
    now,
  };
}
