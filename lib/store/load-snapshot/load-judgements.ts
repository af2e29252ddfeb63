import type { DecidedOn, DecisionKind } from "@/lib/core/change/decision";
import type { HoldKind } from "@/lib/core/change/hold";
import type { Narrowing } from "@/lib/core/change/narrowing";
import type { DecisionView, FindingView, HoldView, Snapshot } from "@/lib/core/change/snapshot";
import type { PersonId, Sha256, TargetId } from "@/lib/core/kernel/ids";
import { rows } from "../database";
import type { Loading } from "./loading";

type Judgements = Pick<Snapshot, "decisions" | "standing" | "narrowing" | "holds" | "findings" | "separation" | "people">;

/** What people and rules have laid down about this change, and who they are. */
export async function loadJudgements(l: Loading, type: string): Promise<Judgements> {
  const decisions = (await rows<DecisionRow>(l.sql, `${DECISIONS} where d.change_id = $1 order by d.at, d.id`, [l.changeId])).map(
    decisionView,
  );
  const standing = await rows<DecisionRow>(
    l.sql,
    `${DECISIONS} join changes c on c.id = d.change_id where d.kind = 'standing_approval' and d.cluster_id = $1 and c.type = $2::maintenance_type order by d.at, d.id`,
    [l.clusterId, type],
  );
  return {
    decisions,
    standing: standing.map(decisionView),
    narrowing: fold(decisions),
    holds: await loadHolds(l),
    findings: await loadFindings(l),
    separation: await loadSeparation(l),
    people: await rows(l.sql, "select id, name, roles::text[] as roles from people where disabled_at is null order by id"),
  };
}

/** Newest of each wins: every narrowing was narrower than what stood before it. */
function fold(decisions: readonly DecisionView[]): Narrowing {
  return decisions
    .filter((d) => d.kind === "narrowing" && !d.revoked)
    .reduce<Narrowing>((all, d) => ({ ...all, ...((d.facts["narrowing"] ?? d.facts) as Narrowing) }), {});
}

const DECISIONS = `select d.id, d.kind, d.on_what, d.on_id, d.choice, d.by_id, d.at, d.until, d.permits, encode(d.fingerprint, 'hex') as fingerprint, d.reason, d.facts,
    exists (select 1 from decisions r where r.kind = 'revocation' and r.on_what = 'decision' and r.on_id = d.id) as revoked from decisions d`;
type DecisionRow = {
  id: string;
  kind: DecisionKind;
  on_what: DecidedOn["what"];
  on_id: string;
  choice: string;
  by_id: PersonId;
  at: Date;
  until: Date | null;
  permits: string;
  fingerprint: Sha256;
  reason: string;
  facts: Record<string, unknown>;
  revoked: boolean;
};
const decisionView = ({ on_what, on_id, by_id, ...d }: DecisionRow): DecisionView => ({
  ...d,
  on: { what: on_what, id: on_id },
  byId: by_id,
});

async function loadHolds(l: Loading): Promise<readonly HoldView[]> {
  const found = await rows<HoldRow>(
    l.sql,
    `select id, kind, batch, target_id, owner_id, because, since, decision_id from holds
     where released_at is null and (change_id = $1 or (change_id is null and cluster_id = $2)) order by since, id`,
    [l.changeId, l.clusterId],
  );
  return found.map((h) => ({
    id: h.id,
    kind: h.kind,
    batch: h.batch,
    targetId: h.target_id,
    ownerId: h.owner_id,
    because: h.because,
    since: h.since,
    byPerson: h.decision_id !== null || h.kind === "person",
  }));
}
type HoldRow = {
  id: string;
  kind: HoldKind;
  batch: number | null;
  target_id: TargetId | null;
  owner_id: PersonId;
  because: string;
  since: Date;
  decision_id: string | null;
};

async function loadFindings(l: Loading): Promise<readonly FindingView[]> {
  const found = await rows<FindingRow>(
    l.sql,
    `select f.id, f.key, f.kind, coalesce(s.name, $1) as on, f.because, f.blocks, f.accepted_by, f.opened_at, f.closed_at from findings f
     left join subjects s on s.id = f.subject_id where f.change_id = $1 or (f.change_id is null and f.cluster_id = $2 and f.closed_at is null) order by f.opened_at, f.id`,
    [l.changeId, l.clusterId],
  );
  return found.map(({ accepted_by, opened_at, closed_at, ...f }) => ({
    ...f,
    acceptedBy: accepted_by,
    openedAt: opened_at,
    closedAt: closed_at,
  }));
}
type FindingRow = {
  id: string;
  key: string;
  kind: string;
  on: string;
  because: string;
  blocks: boolean;
  accepted_by: string | null;
  opened_at: Date;
  closed_at: Date | null;
};

/** Actions by which a person makes commands run: whoever issued any of them ran the change (R4.4). */
const RAN = [
  "canary.started",
  "batch.started",
  "preflight.started",
  "check.run_again",
  "baseline.captured",
  "target.retried",
  "target.roll_back",
  "definition.confirmed",
  "fabric_validation.started",
  "spot_validation.started",
  "obligation.settled",
  "batch.decided",
];

async function loadSeparation(l: Loading): Promise<Snapshot["separation"]> {
  const authors = await rows<{ id: PersonId }>(l.sql, "select distinct author_id as id from plans where change_id = $1 order by 1", [
    l.changeId,
  ]);
  const ran = await rows<{ id: PersonId }>(
    l.sql,
    "select distinct actor as id from audit_events where chain = $1 and actor <> 'worker' and action = any($2) order by 1",
    [l.changeId, RAN],
  );
  return { authorIds: authors.map((person) => person.id), ranIds: ran.map((person) => person.id) };
}
