import { paths } from "@/lib/client/paths";
import { thingName } from "@/lib/core/change/view/thing-name";
import { ACTION_WORDS } from "@/lib/core/change/action-words";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { type Snapshot } from "@/lib/core/change/snapshot";
import { nextAction } from "@/lib/core/change/next-action";
import { type ChangeView } from "@/lib/core/change/view/change-view";
import { toChangeView } from "@/lib/core/change/view/to-change-view";
import { waitsFor } from "@/lib/core/change/waits-for";
import { decide } from "@/lib/core/engine/decide";
import { type ChangeId } from "@/lib/core/kernel/ids";
import { type PersonView } from "@/lib/ports/rows";
import { type Deps } from "@/lib/services/deps";

import { requirePerson } from "./session";
import { wired } from "./wired";

const MOST_OPEN = 40;
const SHIFT_MS = 12 * 3_600_000;
const EVENTS = 14;

type Look = { readonly view: ChangeView; readonly waiting: readonly WaitingHere[]; readonly offer: Snapshot["offer"] };
type WaitingHere = { readonly change: string; readonly does: string; readonly thing: string | null; readonly next: boolean };

/** What one person needs at the start of a shift: what waits for them, what runs, what is not known, and what happened. */
export async function loadNow() {
  const person = await requirePerson(paths.now());
  const { deps } = await wired();
  const now = await deps.clock.now();
  const [open, clusters, people, events] = await Promise.all([
    deps.store.listChanges({ open: true, limit: 500 }),
    deps.store.clusters(),
    deps.store.people(),
    deps.store.recentEvents(new Date(now.getTime() - SHIFT_MS), EVENTS),
  ]);
  const looks: Look[] = [];
  for (const { id } of open.slice(0, MOST_OPEN)) {
    const look = await lookAt(deps, id, person, now);
    if (look !== null) looks.push(look);
  }
  const nameOf = (id: string): string => people.find((one) => one.id === id)?.name ?? id;
  return {
    person,
    now,
    changes: looks.map(({ view }) => view),
    notShown: Math.max(0, open.length - MOST_OPEN),
    waiting: looks.flatMap(({ waiting }) => waiting).sort((a, b) => Number(b.next) - Number(a.next)),
    offers: looks.flatMap(({ view, offer }) => (offer === null ? [] : [{ change: view.id, to: nameOf(offer.to), until: offer.expiresAt }])),
    silent: clusters.flatMap(({ id, reads }) =>
      reads
        .filter(({ failedAt, confirmsAt }) => failedAt !== null && (confirmsAt === null || failedAt > confirmsAt))
        .map((read) => ({ cluster: id, ...read })),
    ),
    events: events.map((event) => ({ ...event, actor: event.actor === "worker" ? "Clearance" : nameOf(event.actor) })),
  };
}

async function lookAt(deps: Deps, id: ChangeId, person: PersonView, now: Date): Promise<Look | null> {
  const s = await deps.store.loadSnapshot(id);
  if (s === null) return null;
  const policy = deps.policy(s.change.clusterId);
  const waits = decide(s, policy, now).waits;
  const view = toChangeView(s, policy, now, waits, { checks: s.checks, commands: [] });
  const waiting = waitsFor(person, permittedActions(s, policy, now), nextAction(s, policy, now)).map(
    ({ action, on, next }): WaitingHere => ({
      change: id,
      does: ACTION_WORDS[action],
      thing: on === null ? null : thingName(view, action, on),
      next,
    }),
  );
  return { view, waiting, offer: s.offer !== null && s.offer.expiresAt > now ? s.offer : null };
}
