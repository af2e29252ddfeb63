import type { ChangeGoal } from "@/lib/core/config-state/goal";
import type { ProfileId } from "@/lib/core/change/gate-profiles";
import type { ChangePeople, Snapshot } from "@/lib/core/change/snapshot";
import type { ChangeOutcome, ChangeState } from "@/lib/core/change/state";
import type { ChangeId, PersonId, Sha256 } from "@/lib/core/kernel/ids";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { isRebootNeeded } from "@/lib/core/plan/goal";
import { Plan, type MaintenanceTypeName } from "@/lib/core/plan/plan";
import { PlanLayout } from "@/lib/core/planner/layout";
import type { HashText } from "@/lib/core/kernel/hash";
import { row, type Sql } from "../database";

export type LoadedChange = Pick<Snapshot, "change" | "plan" | "layout" | "cluster" | "rollback" | "wakeSeq"> & {
  readonly now: Date;
  readonly sources: readonly { readonly name: string; readonly requiredFor: readonly string[] }[];
  readonly policy: Readonly<Record<string, unknown>>;
};

/** The change itself, its present plan and its cluster; null: no such change. */
export async function loadChange(sql: Sql, hash: HashText, changeId: string): Promise<LoadedChange | null> {
  const c = await row<ChangeRow>(sql, CHANGE, [changeId]);
  if (c === null) return null;
  const plan = Plan.parse(c.parsed);
  return {
    change: {
      id: c.id,
      version: c.version,
      title: c.title,
      ticket: c.ticket,
      clusterId: c.cluster_id,
      type: c.type,
      purpose: c.purpose,
      state: c.state,
      outcome: c.outcome,
      createdAt: c.created_at,
      startedAt: c.started_at,
      endedAt: c.ended_at,
      advance: c.advance,
      execution: c.execution,
      urgency: c.urgency,
      ownerId: c.owner_id,
      authorId: c.author_id,
      operatorId: c.operator_id,
      people: c.people,
      revision: c.plan_revision,
      planFingerprint: c.fingerprint,
      standingFingerprint: c.standing_fingerprint,
      validateSha: hash(canonicalJson(plan.validate)),
      commandsSha: hash(canonicalJson({ update: plan.update, rollback: plan.rollback })),
      goal: c.goal,
      profile: c.profile,
      rebootNeeded: isRebootNeeded(plan),
      canariesAskedFor: c.canaries_asked_for,
      preflightPassedAt: c.preflight_passed_at,
    },
    plan,
    layout: PlanLayout.parse(c.preview),
    cluster: {
      id: c.cluster_id,
      production: c.production,
      disposable: c.disposable,
      hasTopology: c.topology !== "none",
      computeNodes: c.compute_nodes,
    },
    rollback: { failedBatches: c.failed_batches, streak: c.streak, committedAt: c.committed_at },
    wakeSeq: c.wake_seq,
    now: c.now,
    sources: c.sources,
    policy: c.policy,
  };
}

const CHANGE = `select c.id, c.version, c.title, c.ticket, c.cluster_id, c.type, c.purpose, c.state, c.outcome, c.created_at, c.started_at, c.ended_at, c.advance, c.execution,
    c.urgency, c.owner_id, c.author_id, c.operator_id, c.people, c.plan_revision, encode(c.fingerprint, 'hex') as fingerprint, c.goal, c.profile, c.canaries_asked_for,
    c.preflight_passed_at, c.failed_batches, c.streak, c.committed_at, encode(p.standing_fingerprint, 'hex') as standing_fingerprint, p.parsed, p.preview,
    k.production, k.disposable, k.topology ->> 'is' as topology, k.sources, k.policy, coalesce(w.wake_seq, 0) as wake_seq, clearance_now() as now,
    (select count(*)::int from nodes n where n.cluster_id = c.cluster_id and n.role = 'compute' and n.retired_at is null) as compute_nodes
  from changes c join plans p on p.change_id = c.id and p.revision = c.plan_revision join clusters k on k.id = c.cluster_id left join wakes w on w.change_id = c.id
  where c.id = $1`;

type ChangeRow = {
  id: ChangeId;
  version: number;
  title: string;
  ticket: string | null;
  cluster_id: string;
  type: MaintenanceTypeName;
  purpose: "maintenance" | "rehearsal";
  state: ChangeState;
  outcome: ChangeOutcome | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  advance: "manual" | "auto";
  execution: "automatic" | "manual";
  urgency: "planned" | "emergency";
  owner_id: PersonId;
  author_id: PersonId;
  operator_id: PersonId;
  people: ChangePeople;
  plan_revision: number;
  fingerprint: Sha256;
  standing_fingerprint: Sha256;
  goal: ChangeGoal;
  profile: ProfileId;
  canaries_asked_for: boolean;
  preflight_passed_at: Date | null;
  failed_batches: number;
  streak: number;
  committed_at: Date | null;
  parsed: unknown;
  preview: unknown;
  production: boolean;
  disposable: boolean;
  topology: string;
  sources: { name: string; requiredFor: string[] }[];
  policy: Record<string, unknown>;
  wake_seq: number;
  now: Date;
  compute_nodes: number;
};
