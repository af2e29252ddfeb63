import { latestValid } from "@/lib/core/config-state/latest-valid";
import type { Known } from "@/lib/core/config-state/observation";
import type { Place } from "@/lib/core/change/place";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { SubjectId } from "@/lib/core/kernel/ids";
import { rows } from "../database";
import type { LoadedChange } from "./load-change";
import { loadLatest } from "./load-observed";
import type { Loading } from "./loading";

/** Where new nodes get their version, as this change set it, and whether what is read there now is what was wanted. */
export async function loadPlaces(l: Loading, { change, sources }: LoadedChange): Promise<Pick<Snapshot, "places" | "readBack">> {
  const found = await rows<PlaceRow>(
    l.sql,
    `select p.subject_id, s.name as on, p.field, p.aim, p.generation, p.prior, p.first_read_back_target_id, s.host_epoch, s.model_epoch
     from places p join subjects s on s.id = p.subject_id where p.change_id = $1 order by p.field, p.subject_id`,
    [l.changeId],
  );
  const seen = await loadLatest(
    l,
    found.map((place) => place.subject_id),
    ["cluster_definition", "vmss_model"],
  );
  const places = found.map((p): Place => {
    const required = sources.filter((s) => s.requiredFor.includes(p.field)).map((s) => s.name);
    const own = (seen.get(p.subject_id) ?? []).filter((o) => o.component === change.goal.component);
    const known = latestValid(own, required, { host: p.host_epoch, model: p.model_epoch }, p.field, l.now);
    const prior = typeof p.prior === "string" ? p.prior : null;
    const wanted = p.aim === "goal" ? change.goal.text : (prior ?? "");
    const verdict = known.is === "unknown" ? ("unknown" as const) : known.value === wanted ? ("matches" as const) : ("differs" as const);
    return {
      subjectId: p.subject_id,
      on: p.on,
      field: p.field,
      aim: p.aim,
      generation: p.generation,
      prior: priorOf(prior, l.now),
      match: { verdict, known, wanted },
    };
  });
  return { places, readBack: found.filter((p) => p.first_read_back_target_id !== null).map((p) => p.subject_id) };
}

const priorOf = (text: string | null, now: Date): Known<string> =>
  text === null ? { is: "unknown", because: "never_observed", last: [] } : { is: "value", value: text, cites: [], at: now, sources: [] };

type PlaceRow = {
  subject_id: SubjectId;
  on: string;
  field: Place["field"];
  aim: Place["aim"];
  generation: number;
  prior: unknown;
  first_read_back_target_id: string | null;
  host_epoch: number;
  model_epoch: number;
};
