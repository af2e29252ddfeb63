import { notFound } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { type ChangeId } from "@/lib/core/kernel/ids";
import { verifyAudit } from "@/lib/services/verify-audit";

import { requirePerson } from "./session";
import { wired } from "./wired";

const AT_MOST = 1_000;

/** The chain of one change, verified now; the newest events first. */
export async function loadAudit(id: string) {
  await requirePerson(paths.audit(id));
  const { deps } = await wired();
  if ((await deps.store.planYaml(id as ChangeId)) === null) notFound();
  const [events, verdict, people, now] = await Promise.all([
    deps.store.auditEvents(id),
    verifyAudit(deps, id),
    deps.store.people(),
    deps.clock.now(),
  ]);
  const nameOf = (actor: string): string => people.find((one) => one.id === actor)?.name ?? actor;
  const newest = [...events].sort((a, b) => b.seq - a.seq).slice(0, AT_MOST);
  return { events: newest.map((event) => ({ ...event, who: nameOf(event.actor) })), total: events.length, verdict, now };
}
