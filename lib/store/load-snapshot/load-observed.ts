import { FIELD_TRAITS, type Component, type Observed, type ObservedField } from "@/lib/core/config-state/observation";
import { SeriesSeen } from "@/lib/core/check/series";
import type { ObservationId, SubjectId } from "@/lib/core/kernel/ids";
import { rows } from "../database";
import type { Loading } from "./loading";

export type BySubject<T> = ReadonlyMap<number, readonly T[]>;

/** Newest row of each series of these subjects; telemetry apart. */
export async function loadLatest(
  l: Loading,
  subjectIds: readonly number[],
  fields: readonly ObservedField[],
): Promise<BySubject<Observed>> {
  const found = await rows<ObservedRow>(
    l.sql,
    `${OBSERVED} from latest_observations n join observations o on o.id = n.observation_id left join source_reads r on r.cluster_id = $3 and r.source = o.source
     where n.subject_id = any($1) and n.field = any($2::observed_field[]) order by o.observed_at, o.id`,
    [subjectIds, fields, l.clusterId],
  );
  return bySubject(found.map(observed));
}

/** The same as it stood at an instant of each subject: what was known before its drain. */
export async function loadBefore(
  l: Loading,
  instants: ReadonlyMap<number, Date>,
  fields: readonly ObservedField[],
): Promise<BySubject<Observed>> {
  const found = await rows<ObservedRow>(
    l.sql,
    `${OBSERVED} from unnest($1::int[], $4::timestamptz[]) as u (subject_id, at) join latest_observations n on n.subject_id = u.subject_id
       join lateral (select * from observations x where x.subject_id = n.subject_id and x.field = n.field and x.component = n.component and x.source = n.source
         and x.observed_at <= u.at order by x.id desc limit 1) o on true
       left join source_reads r on false where n.field = any($2::observed_field[]) and $3::text is not null order by o.observed_at, o.id`,
    [[...instants.keys()], fields, l.clusterId, [...instants.values()]],
  );
  return bySubject(found.map(observed));
}

const OBSERVED = `select o.id, o.subject_id, o.field, o.component, o.source, o.kind, o.text, o.value, o.host_epoch, o.model_epoch, o.observed_at, r.confirms_at`;
type ObservedRow = {
  id: ObservationId;
  subject_id: SubjectId;
  field: ObservedField;
  component: Component;
  source: string;
  kind: Observed["kind"];
  text: string | null;
  value: unknown;
  host_epoch: number;
  model_epoch: number;
  observed_at: Date;
  confirms_at: Date | null;
};

/** A complete read confirms what it lists; fields that no list reads are confirmed by nothing but their own row. */
const observed = (o: ObservedRow): Observed => ({
  id: o.id,
  subjectId: o.subject_id,
  field: o.field,
  component: o.component,
  source: o.source,
  kind: o.kind,
  text: o.text,
  value: o.value,
  epochs: { host: o.host_epoch, model: o.model_epoch },
  observedAt: o.observed_at,
  confirmedAt: FIELD_TRAITS[o.field].listed && o.confirms_at !== null && o.confirms_at > o.observed_at ? o.confirms_at : o.observed_at,
});

function bySubject(all: readonly Observed[]): BySubject<Observed> {
  const found = new Map<number, Observed[]>();
  for (const one of all) {
    const list = found.get(one.subjectId);
    if (list === undefined) found.set(one.subjectId, [one]);
    else list.push(one);
  }
  return found;
}

type Series = Readonly<Record<string, { readonly now: SeriesSeen | null; readonly before: SeriesSeen | null }>>;
const SOURCE = "prometheus/";

/** Newest read of every telemetry check, and the newest that is not later than `before` says (none: no value from before). */
export async function loadSeries(
  l: Loading,
  subjectIds: readonly number[],
  before: ReadonlyMap<number, Date>,
): Promise<ReadonlyMap<number, Series>> {
  const found = await rows<{
    subject_id: number;
    source: string;
    now_id: number;
    now_value: unknown;
    before_id: number | null;
    before_value: unknown;
  }>(
    l.sql,
    `select n.subject_id, n.source, o.id as now_id, o.value as now_value, b.id as before_id, b.value as before_value
     from latest_observations n join observations o on o.id = n.observation_id left join unnest($2::int[], $3::timestamptz[]) as u (subject_id, at) on u.subject_id = n.subject_id
       left join lateral (select x.id, x.value from observations x where x.subject_id = n.subject_id and x.field = 'telemetry' and x.component = n.component and x.source = n.source
         and x.observed_at <= u.at order by x.id desc limit 1) b on true
     where n.subject_id = any($1) and n.field = 'telemetry' and starts_with(n.source, '${SOURCE}')`,
    [subjectIds, [...before.keys()], [...before.values()]],
  );
  const series = new Map<number, Record<string, Series[string]>>();
  for (const one of found) {
    const of = series.get(one.subject_id) ?? {};
    of[one.source.slice(SOURCE.length)] = { now: seen(one.now_value, one.now_id), before: seen(one.before_value, one.before_id) };
    series.set(one.subject_id, of);
  }
  return series;
}

function seen(value: unknown, id: number | null): SeriesSeen | null {
  if (id === null) return null;
  const parsed = SeriesSeen.safeParse(value);
  return parsed.success ? { ...parsed.data, observationId: id } : null;
}
