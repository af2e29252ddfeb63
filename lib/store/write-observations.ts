import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import type { HashText } from "@/lib/core/kernel/hash";
import { ServiceValue } from "@/lib/core/node/service-observation";
import type { NewObservation, SeenBoot } from "@/lib/ports/store";
import { bumpEpochs } from "./bump-epochs";
import { rows, type Sql } from "./database";
import { bytesOf, bytesOrNull, json, storedText, storedTextOrNull } from "./stored-text";

/** Boots first, then observations; those of a subject whose boot is new carry the new epoch. Returns the ids of the rows. */
export async function writeObservations(
  sql: Sql,
  hash: HashText,
  seen: { readonly observations: readonly NewObservation[]; readonly boots: readonly SeenBoot[] },
): Promise<readonly number[]> {
  const bumped = await bumpEpochs(sql, seen.boots);
  const current = seen.observations.map((o) => ({ ...o, hostEpoch: bumped.get(o.subjectId) ?? o.hostEpoch }));
  const ids: number[] = [];
  for (let from = 0; from < current.length; from += AT_ONCE)
    ids.push(...(await insertSome(sql, hash, current.slice(from, from + AT_ONCE))));
  await copyService(sql, current);
  return ids;
}

const AT_ONCE = 2_000;

async function insertSome(sql: Sql, hash: HashText, some: readonly NewObservation[]): Promise<readonly number[]> {
  const column = <T>(pick: (o: NewObservation) => T): readonly T[] => some.map(pick);
  const written = await rows<{ id: number }>(
    sql,
    `insert into observations (subject_id, field, component, source, kind, text, value, host_epoch, model_epoch, observed_at, request, observer, evidence_sha, change_id, row_hash)
     select s, f::observed_field, c::component, src, k::observed_kind, t, v::jsonb, he, me, oa, r, o, e, ch, rh
     from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[], $10::timestamptz[], $11::text[], $12::text[],
       $13::bytea[], $14::text[], $15::bytea[]) with ordinality as u (s, f, c, src, k, t, v, he, me, oa, r, o, e, ch, rh, n)
     order by n returning id`,
    [
      column((o) => o.subjectId),
      column((o) => o.field),
      column((o) => o.component),
      column((o) => storedText(o.source)),
      column((o) => o.kind),
      column((o) => (o.kind === "value" ? storedTextOrNull(o.text) : null)),
      column((o) => (o.value === undefined || o.value === null ? null : json(o.value))),
      column((o) => o.hostEpoch),
      column((o) => o.modelEpoch),
      column((o) => o.observedAt),
      column((o) => storedText(o.request)),
      column((o) => storedText(o.observer)),
      column((o) => bytesOrNull(o.evidenceSha)),
      column((o) => o.changeId),
      column((o) => bytesOf(hash(fingerprintText(o)))),
    ],
  );
  return written.map((observation) => observation.id);
}

const fingerprintText = (o: NewObservation): string =>
  canonicalJson([o.subjectId, o.field, o.component, o.source, o.kind, o.text, o.hostEpoch, o.modelEpoch, o.observedAt, o.evidenceSha]);

/** The node's row repeats what its scheduler says, for lists and capacity. */
async function copyService(sql: Sql, observations: readonly NewObservation[]): Promise<void> {
  const said = observations.filter((o) => o.field === "service" && o.component === "none");
  if (said.length === 0) return;
  const state = (o: NewObservation): string => {
    const value = ServiceValue.safeParse(o.value);
    return value.success && o.kind === "value" ? value.data.state : o.kind === "absent" ? "absent" : "unknown";
  };
  await sql.query(
    `update nodes n set service = u.state::service_state, service_since = case when n.service = u.state::service_state then n.service_since else u.at end
     from unnest($1::int[], $2::text[], $3::timestamptz[]) as u (id, state, at) where n.id = u.id`,
    [said.map((o) => o.subjectId), said.map(state), said.map((o) => o.observedAt)],
  );
}
