import type { ConfigBoard, ConfigRow, Match } from "./board";
import { explainConfig } from "./explain";
import type { ChangeGoal } from "./goal";
import { latestValid } from "./latest-valid";
import { CONFIG_FIELDS, type Component, type ConfigField, type Epochs, type Known, type Observed } from "./observation";
import { notApplicable, type ConfigSite } from "./persistence";

/** What belongs to the node beside the goal. `declared`: the difference between definition and model is the plan's own (R1.8). */
export type ConfigContext = ConfigSite & {
  readonly node: string;
  readonly declared: boolean;
  /** Sources that must speak, by field. */ readonly required: Readonly<Partial<Record<ConfigField, readonly string[]>>>;
  /** Rows that the first generation cited. */ readonly before: readonly Observed[] | null;
  /** Saved version, while a pass aims at it. */ readonly prior: string | null;
};

/** The four layers of one node against the goal (R1.3), now, before, and after a rollback against the saved version; with the sentences of R1.7. */
export function compareConfig(
  goal: ChangeGoal,
  seen: readonly Observed[],
  epochs: Readonly<Record<ConfigField, Epochs>>,
  now: Date,
  context: ConfigContext,
): ConfigBoard {
  const row = (rows: readonly Observed[], wanted: string | null, aged: boolean): ConfigRow =>
    Object.fromEntries(CONFIG_FIELDS.map((field) => [field, matchOf(field, rows, wanted, aged)])) as ConfigRow;
  const matchOf = (field: ConfigField, rows: readonly Observed[], wanted: string | null, aged: boolean): ConfigRow[ConfigField] => {
    const because = notApplicable(field, goal, context);
    if (because !== null) return { verdict: "not_applicable", because };
    const known = (component: Component): Known<string> => {
      const own = rows.filter((o) => o.component === component && o.field === field);
      const last = own[own.length - 1];
      // What was cited before counts in the epoch it was read in, whatever happened since.
      return aged && last !== undefined
        ? latestValid(own, [], last.epochs, field, last.confirmedAt)
        : latestValid(own, context.required[field] ?? [], epochs[field], field, now);
    };
    return field === "host_report" ? hostMatch(goal, known, wanted) : plainMatch(known(goal.component), wanted ?? goal.text);
  };
  const current = row(seen, null, false);
  const fields = CONFIG_FIELDS.filter((field) => current[field].verdict !== "not_applicable");
  const pending = fields.filter((field) => current[field].verdict !== "matches");
  return {
    before: context.before === null ? null : row(context.before, null, true),
    now: current,
    afterRollback: context.prior === null ? null : row(seen, context.prior, false),
    sentences: explainConfig(current, goal, context),
    complete: pending.length === 0,
    pending,
  };
}

const plainMatch = (known: Known<string>, wanted: string): Match => ({
  verdict: known.is === "unknown" ? "unknown" : known.value === wanted ? "matches" : "differs",
  known,
  wanted,
});

/** An image is recognised by the plan's host facts (R1.5); a driver counts only when loaded module and library are the same version. */
function hostMatch(goal: ChangeGoal, known: (component: Component) => Known<string>, wanted: string | null): Match {
  if (goal.component === "image") return imageMatch(goal, known, wanted);
  const loaded = known(goal.component);
  if (goal.component !== "gpu_driver" || loaded.is === "unknown") return plainMatch(loaded, wanted ?? goal.text);
  const library = known("gpu_driver_library");
  if (library.is === "unknown") return plainMatch(library, wanted ?? goal.text);
  if (library.value !== loaded.value) return plainMatch({ is: "unknown", because: "sources_disagree", last: [] }, wanted ?? goal.text);
  return plainMatch({ ...loaded, cites: [...loaded.cites, ...library.cites] }, wanted ?? goal.text);
}

function imageMatch(goal: ChangeGoal, known: (component: Component) => Known<string>, wanted: string | null): Match {
  const nothing: Known<string> = { is: "unknown", because: "never_observed", last: [] };
  if (wanted !== null && wanted !== goal.text) return plainMatch(known("image"), wanted);
  const proofs = (goal.hostProof ?? []).map((proof) => ({ proof, value: known(proof.component) }));
  const silent = proofs.find((p) => p.value.is === "unknown");
  if (proofs.length === 0 || silent !== undefined) return plainMatch(silent?.value ?? nothing, goal.text);
  const cites = proofs.flatMap((p) => (p.value.is === "value" ? p.value.cites : []));
  const other = proofs.find((p) => p.value.is === "value" && p.value.value !== p.proof.expect);
  const value = other?.value.is === "value" ? `${other.proof.component} ${other.value.value}` : goal.text;
  const at = proofs[0]?.value.is === "value" ? proofs[0].value.at : new Date(0);
  return plainMatch({ is: "value", value, cites, at, sources: [] }, goal.text);
}
