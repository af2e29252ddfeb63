import { NODE_STEPS, STEP_TRAITS } from "@/lib/core/change/step";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { ChangeId, PersonId } from "@/lib/core/kernel/ids";
import type { MaintenanceTypeName } from "@/lib/core/plan/plan";
import { row, rows } from "../database";
import type { Loading } from "./loading";

type Calendar = Pick<Snapshot, "windows" | "lastMaintenance" | "freezes" | "announcedAt" | "offer">;

export async function loadCalendar(l: Loading): Promise<Calendar> {
  const windows = await rows<{ id: string; starts_at: Date; ends_at: Date; timezone: string }>(
    l.sql,
    "select id, starts_at, ends_at, timezone from windows where change_id = $1 and state = 'booked' order by starts_at, id",
    [l.changeId],
  );
  const freezes = await rows<{ starts_at: Date; ends_at: Date; reason: string }>(
    l.sql,
    "select starts_at, ends_at, reason from freezes where (cluster_id = $1 or cluster_id is null) and cancelled_at is null and ends_at > $2::timestamptz - interval '1 day' order by starts_at, id",
    [l.clusterId, l.now],
  );
  return {
    windows: windows.map((w) => ({ id: w.id, startsAt: w.starts_at, endsAt: w.ends_at, timezone: w.timezone })),
    freezes: freezes.map((f) => ({ startsAt: f.starts_at, endsAt: f.ends_at, reason: f.reason })),
    lastMaintenance: await loadLast(l),
    announcedAt: null,
    offer: await loadOffer(l),
  };
}

const TOUCHED = NODE_STEPS.filter((step) => STEP_TRAITS[step].touched);

/** Emergencies, changes that touched no node, and disposable clusters leave no spacing behind (R11.3). */
async function loadLast(l: Loading): Promise<Calendar["lastMaintenance"]> {
  const last = await row<{ ended_at: Date; id: ChangeId; type: MaintenanceTypeName }>(
    l.sql,
    `select c.ended_at, c.id, c.type from changes c join clusters k on k.id = c.cluster_id
     where c.cluster_id = $1 and c.id <> $2 and c.ended_at is not null and c.urgency = 'planned' and not k.disposable
     and exists (select 1 from targets t where t.change_id = c.id and (t.update_began or t.step = any($3::node_step[]))) order by c.ended_at desc limit 1`,
    [l.clusterId, l.changeId, TOUCHED],
  );
  return last && { endedAt: last.ended_at, changeId: last.id, type: last.type };
}

async function loadOffer(l: Loading): Promise<Calendar["offer"]> {
  const offer = await row<{ id: string; to_id: PersonId; from_id: PersonId; expires_at: Date }>(
    l.sql,
    "select id, to_id, from_id, expires_at from handoffs where change_id = $1 and answered_at is null and to_id is not null order by offered_at desc, id limit 1",
    [l.changeId],
  );
  return offer && { id: offer.id, to: offer.to_id, by: offer.from_id, expiresAt: offer.expires_at };
}
