import { savedVersionOf } from "@/lib/core/engine/component-of";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { NodeStep } from "@/lib/core/change/step";
import type { RollbackComponent } from "@/lib/core/change/rollback";
import type { Target } from "@/lib/core/change/target";
import { compareConfig } from "@/lib/core/config-state/compare";
import { CONFIG_FIELDS, type Epochs, type Known, type Observed } from "@/lib/core/config-state/observation";
import type { ClassId, LeafId, PersonId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { Obligation } from "@/lib/core/change/obligation";
import { rows } from "../database";
import type { LoadedChange } from "./load-change";
import { loadBefore, loadLatest, loadSeries, type BySubject } from "./load-observed";
import type { Loading } from "./loading";
import { knownService } from "./known-service";

type Context = { readonly loaded: LoadedChange; readonly obligations: readonly Obligation[]; readonly untestedAccepted: boolean };

/**
 * Every target. What its layers say is read from the moment it is worked on and for good: what an accepted node says is what a second reader is asked.
 * Telemetry only while it holds a place; service for all: work on an accepted node must be seen too.
 */
export async function loadTargets(l: Loading, context: Context): Promise<readonly Target[]> {
  const { change, sources } = context.loaded;
  const found = await rows<TargetRow>(l.sql, TARGETS, [l.changeId]);
  const ids = found.map((t) => t.subject_id);
  const busy = found.filter((t) => STEP_TRAITS[t.step].holdsSlot);
  const begun = found.filter((t) => STEP_TRAITS[t.step].holdsSlot || STEP_TRAITS[t.step].touched);
  const drained = new Map(begun.flatMap((t) => (t.drained_at === null ? [] : [[t.subject_id as number, t.drained_at] as const])));
  const places = [...new Set([context.loaded.cluster.id, ...begun.map((t) => t.scale_set_id)])].filter((id) => typeof id === "number");
  const clusterSubject = found[0]?.cluster_subject ?? null;
  const shared = clusterSubject === null ? places : [...places, clusterSubject];
  const services = await loadLatest(l, ids, ["service"]);
  const config = await loadLatest(l, [...begun.map((t) => t.subject_id), ...shared], CONFIG_FIELDS);
  const before = await loadBefore(l, drained, CONFIG_FIELDS);
  const series = await loadSeries(l, change.state === "PREFLIGHT" ? ids : busy.map((t) => t.subject_id), drained);
  const epochs = await loadEpochs(l, shared);
  const required = (field: string): readonly string[] => sources.filter((s) => s.requiredFor.includes(field)).map((s) => s.name);
  const isBegun = new Set(begun);
  return found.map((row): Target => {
    const target = base(row, context);
    const seen = config.get(row.subject_id) ?? [];
    const service = knownService(services.get(row.subject_id) ?? [], { row, l, context, required: required("service") });
    if (!isBegun.has(row)) return { ...target, service, series: series.get(row.subject_id) ?? {} };
    const around = [row.scale_set_id, clusterSubject].flatMap((id) => (id === null ? [] : (config.get(id) ?? [])));
    return {
      ...target,
      service,
      bootedAfter: bootedAfter(row, services),
      board: compareConfig(change.goal, [...seen, ...around], epochsOf(row, epochs, clusterSubject), l.now, {
        node: row.name,
        definitionSource: required("cluster_definition").length > 0,
        scaleSet: row.scale_set_id !== null,
        declared: change.goal.component === "image",
        required: Object.fromEntries(CONFIG_FIELDS.map((field) => [field, required(field)])),
        before: before.get(row.subject_id) ?? null,
        prior: row.aim === "prior" ? savedVersionOf(target, change.goal) : null,
      }),
      seen: seen.filter((o) => o.field === "host_report"),
      series: series.get(row.subject_id) ?? {},
    };
  });
}

const NEVER: Known<never> = { is: "unknown", because: "never_observed", last: [] };

function base(t: TargetRow, { untestedAccepted }: Context): Target {
  return {
    id: t.id,
    subjectId: t.subject_id,
    name: t.name,
    classId: t.class_id,
    role: t.role,
    batch: t.batch,
    step: t.step,
    aim: t.aim,
    stage: t.stage,
    generation: t.generation,
    gpus: t.gpus,
    since: t.step_since,
    deadlineAt: t.deadline_at,
    mode: t.mode,
    scaleSet: t.scale_set_id,
    leaves: t.leaves,
    rollback: (t.saved ?? []).map((c) => ({ ...c, acceptedUntested: c.capability === "untested" && untestedAccepted, fetchable: NEVER })),
    updateBegan: t.update_began,
    because: t.because,
    investigatorId: t.investigator_id,
    releasedToId: t.released_to_id,
    ticket: t.ticket,
    prior: t.prior === null ? null : { state: t.prior.state, reason: t.prior.reason, ours: false, jobs: [] },
    hostEpoch: t.host_epoch,
    bootId: t.boot_id,
    service: NEVER,
    bootedAfter: NEVER,
    board: null,
    seen: [],
    series: {},
  };
}

/** The boot time as the scheduler lists it; it stands as long as no other is listed. */
function bootedAfter(t: TargetRow, services: BySubject<Observed>): Known<Date> {
  if (t.booted_at === null) return NEVER;
  const cited = services.get(t.subject_id)?.at(-1);
  return {
    is: "value",
    value: t.booted_at,
    cites: cited ? [cited.id] : [],
    at: cited?.confirmedAt ?? t.booted_at,
    sources: cited ? [cited.source] : [],
  };
}

async function loadEpochs(l: Loading, subjectIds: readonly number[]): Promise<ReadonlyMap<number, Epochs>> {
  const found = await rows<{ id: number; host_epoch: number; model_epoch: number }>(
    l.sql,
    "select id, host_epoch, model_epoch from subjects where id = any($1)",
    [subjectIds],
  );
  return new Map(found.map((s) => [s.id, { host: s.host_epoch, model: s.model_epoch }]));
}

function epochsOf(t: TargetRow, shared: ReadonlyMap<number, Epochs>, clusterSubject: number | null) {
  const none = { host: 0, model: 0 };
  const own = { host: t.host_epoch, model: t.model_epoch };
  return {
    cluster_definition: shared.get(clusterSubject ?? -1) ?? none,
    vmss_model: shared.get(t.scale_set_id ?? -1) ?? none,
    instance_model: own,
    host_report: own,
  };
}

const TARGETS = `select t.id, t.subject_id, t.name, t.class_id, t.role, t.batch, t.step, t.aim, t.stage, t.generation, t.gpus, t.step_since, t.deadline_at, t.mode, t.scale_set_id,
    t.saved, t.update_began, t.because, t.investigator_id, t.released_to_id, t.ticket, t.prior, s.host_epoch, s.model_epoch, s.boot_id, s.booted_at,
    coalesce((select array_agg(l.leaf_id order by l.leaf_id) from node_leaves l join switches w on w.id = l.leaf_id where l.node_id = t.subject_id and w.fabric = 'compute'), '{}') as leaves,
    -- of the pass that took it out of service: a rollback goes on in it and is compared with the same values
    (select min(c.started_at) from commands c where c.target_id = t.id and c.kind = 'drain'
       and c.generation = (select max(h.generation) from commands h where h.target_id = t.id and h.kind = 'check_health')) as drained_at,
    (select x.id from subjects x where x.cluster_id = s.cluster_id and x.kind = 'cluster' limit 1) as cluster_subject
  from targets t join subjects s on s.id = t.subject_id left join nodes n on n.id = t.subject_id where t.change_id = $1 order by t.batch, t.role, n.sort_name, t.name`;

type TargetRow = {
  id: TargetId;
  subject_id: SubjectId;
  name: string;
  class_id: ClassId;
  role: Target["role"];
  batch: number;
  step: NodeStep;
  aim: Target["aim"];
  stage: number;
  generation: number;
  gpus: number;
  step_since: Date;
  deadline_at: Date | null;
  mode: Target["mode"];
  scale_set_id: SubjectId | null;
  saved: Pick<RollbackComponent, "name" | "capability" | "savedVersion">[] | null;
  update_began: boolean;
  because: string | null;
  investigator_id: PersonId | null;
  released_to_id: PersonId | null;
  ticket: string | null;
  prior: { state: "in_service"; reason: string | null } | null;
  host_epoch: number;
  model_epoch: number;
  boot_id: string | null;
  booted_at: Date | null;
  leaves: LeafId[];
  drained_at: Date | null;
  cluster_subject: number | null;
};
