import type { Batch } from "@/lib/core/change/batch";
import { CommandHandle, CommandOutcome, CommandRequest } from "@/lib/core/change/command-request";
import type { CommandKind, CommandView } from "@/lib/core/change/command";
import type { Obligation } from "@/lib/core/change/obligation";
import { NODE_STEPS, STEP_TRAITS } from "@/lib/core/change/step";
import type { CheckView, Snapshot } from "@/lib/core/change/snapshot";
import type { CheckScope, VerdictWord } from "@/lib/core/check/verdict";
import { CheckSpec } from "@/lib/core/check/spec";
import type { GateId } from "@/lib/core/check/gate-id";
import type { CheckId, ClassId, CommandKey, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { Store } from "@/lib/ports/store";
import { readOnly, rows, type Database } from "../database";
import type { Loading } from "./loading";

type Work = Pick<Snapshot, "batches" | "commands" | "checks" | "obligations">;

/** Holding a place, or back on the old version: a rehearsal's recovery is measured by the commands that brought it there. */
const HOLDING = NODE_STEPS.filter((step) => STEP_TRAITS[step].holdsSlot || step === "rolled_back");

/** SQL: targets whose commands and checks still matter: those with a place, those of a batch that is not decided yet, and every canary. */
const ALIVE = `(t.step = any($2::node_step[]) or t.role = 'canary' or exists (select 1 from batches b where b.change_id = t.change_id and b.number = t.batch and b.state in ('running', 'failed')))`;

/** SQL, on checks k and targets t: what decisions still rest on. The validation after the last batch is judged on nodes that are long accepted. */
const DECIDING_CHECKS = `(k.target_id is null or k.scope = 'change' or k.verdict in ('fail', 'unresolved') or ${ALIVE})`;
const DECIDING_COMMANDS = `(c.finished_at is null or c.target_id is null or (c.generation = t.generation and (t.step = 'rolled_back' or ${ALIVE})))`;

export const loadWork = async (l: Loading): Promise<Work> => ({
  batches: await loadBatches(l),
  commands: await loadCommands(l, { sql: DECIDING_COMMANDS, values: [HOLDING] }),
  checks: await loadChecks(l, { sql: DECIDING_CHECKS, values: [HOLDING] }),
  obligations: await loadObligations(l),
});

/** Every check and command of the change, of every pass: what its nodes' outcomes rest on (R12). */
export const loadEvidence =
  (database: Database): Store["wholeEvidence"] =>
  (changeId) =>
    readOnly(database.pool, async (sql) => {
      const reading = { sql, changeId };
      const all = { sql: "true", values: [] };
      return { checks: await loadChecks(reading, all), commands: await loadCommands(reading, all) };
    });

type Reading = Pick<Loading, "sql" | "changeId">;
type Which = { readonly sql: string; readonly values: readonly unknown[] };

async function loadBatches(l: Loading): Promise<readonly Batch[]> {
  const found = await rows<{ number: number; extra_of: number | null; state: Batch["state"]; not_before: Date | null; asked_for: boolean }>(
    l.sql,
    "select number, extra_of, state, not_before, asked_for from batches where change_id = $1 order by number",
    [l.changeId],
  );
  return found.map((b) => ({ number: b.number, extraOf: b.extra_of, state: b.state, notBefore: b.not_before, askedFor: b.asked_for }));
}

async function loadCommands(l: Reading, which: Which): Promise<readonly CommandView[]> {
  const found = await rows<CommandRow>(
    l.sql,
    `select c.key, c.kind, c.target_id, c.generation, c.deadline_at, c.because, c.request, c.state, c.started_at, c.finished_at, c.handle, c.outcome
     from commands c left join targets t on t.id = c.target_id
     where c.change_id = $1 and ${which.sql} order by c.planned_at, c.key`,
    [l.changeId, ...which.values],
  );
  return found.map((c) => ({
    key: c.key,
    kind: c.kind,
    targetId: c.target_id,
    generation: c.generation,
    deadlineAt: c.deadline_at,
    because: c.because,
    request: CommandRequest.parse(c.request),
    state: c.state,
    startedAt: c.started_at,
    finishedAt: c.finished_at,
    handle: c.handle === null ? null : CommandHandle.parse(c.handle),
    outcome: c.outcome === null ? null : CommandOutcome.parse(c.outcome),
  }));
}
type CommandRow = {
  key: CommandKey;
  kind: CommandKind;
  target_id: TargetId | null;
  generation: number;
  deadline_at: Date;
  because: string;
  request: unknown;
  state: CommandView["state"];
  started_at: Date | null;
  finished_at: Date | null;
  handle: unknown;
  outcome: unknown;
};

async function loadChecks(l: Reading, which: Which): Promise<readonly CheckView[]> {
  const found = await rows<CheckRow>(
    l.sql,
    `select k.id, k.gate, k.target_id, k.class_id, k.batch, k.generation, k.name, k.verdict, k.because, k.scope, k.settles_at, k.due_at, k.waivable, k.spec, k.judged_at,
       case when k.verdict is null then null else v.reason end as reason,
       (select coalesce(json_agg(json_build_object('subjectId', m.subject_id, 'part', m.part) order by m.part, m.subject_id), '[]') from check_members m where m.check_id = k.id) as members,
       (select max(d.until) from decisions d where d.check_id = k.id and d.kind = 'waiver'
         and not exists (select 1 from decisions r where r.kind = 'revocation' and r.on_what = 'decision' and r.on_id = d.id)) as waived_until
     from checks k left join targets t on t.id = k.target_id left join verdicts v on v.id = k.verdict_id
     where k.change_id = $1 and ${which.sql} order by k.created_at, k.id`,
    [l.changeId, ...which.values],
  );
  return found.map((k) => ({
    id: k.id,
    gate: k.gate,
    targetId: k.target_id,
    classId: k.class_id,
    batch: k.batch,
    generation: k.generation,
    name: k.name,
    verdict: k.verdict,
    because: k.because,
    scope: k.scope,
    members: k.members,
    settlesAt: k.settles_at,
    dueAt: k.due_at,
    waivable: k.waivable,
    waivedUntil: k.waived_until,
    spec: CheckSpec.parse(k.spec),
    reason: k.reason,
    judgedAt: k.judged_at,
  }));
}
type CheckRow = {
  id: CheckId;
  gate: GateId;
  target_id: TargetId | null;
  class_id: ClassId | null;
  batch: number | null;
  generation: number;
  name: string;
  verdict: VerdictWord | null;
  because: string;
  scope: CheckScope;
  settles_at: Date | null;
  due_at: Date | null;
  waivable: boolean;
  spec: unknown;
  judged_at: Date | null;
  reason: string | null;
  members: { subjectId: SubjectId; part: "member" | "partner" }[];
  waived_until: Date | null;
};

async function loadObligations(l: Loading): Promise<readonly Obligation[]> {
  const found = await rows<ObligationRow>(
    l.sql,
    `select o.id, o.kind, coalesce(t.name, s.name, o.name) as on, o.target_id, o.name, o.prior, o.since, o.ends_at from obligations o
     left join targets t on t.id = o.target_id left join subjects s on s.id = o.subject_id where o.change_id = $1 and o.settled_at is null order by o.since, o.id`,
    [l.changeId],
  );
  return found.map(({ target_id, ends_at, ...o }) => ({ ...o, targetId: target_id, endsAt: ends_at }));
}
type ObligationRow = {
  id: string;
  kind: Obligation["kind"];
  on: string;
  target_id: TargetId | null;
  name: string;
  prior: unknown;
  since: Date;
  ends_at: Date | null;
};
