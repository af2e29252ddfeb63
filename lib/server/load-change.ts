import { notFound } from "next/navigation";

import { type PersonalAction } from "@/lib/client/group-actions";
import { paths } from "@/lib/client/paths";
import { type FormChoices } from "@/lib/client/form-choices";
import { warningsOf } from "@/lib/core/acceptance/sign-off";
import { ROLES } from "@/lib/core/access/roles";
import { mayAct } from "@/lib/core/change/may-act";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { sentence } from "@/lib/core/change/sentence";
import { type Snapshot } from "@/lib/core/change/snapshot";
import { type ChangeView } from "@/lib/core/change/view/change-view";
import { namesOf, toChangeView } from "@/lib/core/change/view/to-change-view";
import { POST_WORDS, ROLE_WORDS } from "@/lib/core/change/words";
import { configSentence } from "@/lib/core/config-state/explain";
import { decide } from "@/lib/core/engine/decide";
import { type ChangeId } from "@/lib/core/kernel/ids";
import { type NodeView, type PersonView } from "@/lib/ports/rows";
import { type Deps } from "@/lib/services/deps";

import { requirePerson } from "./session";
import { wired } from "./wired";

type ChangePage = {
  /** The node whose configuration is shown; null: none has been read yet. */
  readonly node: {
    readonly name: string;
    readonly before: Readonly<Record<string, string | null>>;
    readonly sentences: readonly string[];
  } | null;
  /** check -> SHA-256 of what its newest verdict rests on. */
  readonly evidence: Readonly<Record<string, readonly string[]>>;
  readonly view: ChangeView;
  readonly actions: readonly PersonalAction[];
  readonly choices: FormChoices;
  /** node -> the leaves it hangs on; empty where no topology is known. */
  readonly leaves: Readonly<Record<string, readonly string[]>>;
  readonly person: PersonView;
  readonly now: Date;
};

/** One look at a change for one person: the record, what it permits, and what of that is theirs, all from the same moment. */
export async function loadChange(id: string, node: string | null = null): Promise<ChangePage> {
  const person = await requirePerson(paths.change(id));
  const { deps } = await wired();
  const s = await deps.store.loadSnapshot(id as ChangeId);
  if (s === null) notFound();
  const now = await deps.clock.now();
  const policy = deps.policy(s.change.clusterId);
  const names = namesOf(s);
  const planned = new Set(s.targets.map((target) => target.name));
  const nodes = (await deps.store.inventory(s.change.clusterId)).filter((one) => planned.has(one.name));
  const actions = permittedActions(s, policy, now).map((state): PersonalAction => {
    const may = mayAct(state, person);
    return {
      action: state.action,
      on: state.on,
      permitted: state.permitted,
      because: state.permitted ? [] : state.because.map((reason) => sentence(reason, names)),
      people: state.who.people.map(names.person),
      by: state.who.by.map((one) => (isRole(one) ? ROLE_WORDS[one] : POST_WORDS[one])),
      notYours: may.allowed ? null : sentence(may.because, names),
    };
  });
  return {
    view: toChangeView(s, policy, now, decide(s, policy, now).waits, await deps.store.wholeEvidence(s.change.id)),
    actions,
    choices: await choicesOf(deps, s, nodes),
    leaves: leavesOf(s, nodes),
    evidence: Object.fromEntries(await deps.store.checkEvidence(s.change.id)),
    node: nodeShown(s, node),
    person,
    now,
  };
}

const isRole = (one: string): one is keyof typeof ROLE_WORDS => ROLES.some((role) => role === one);

async function choicesOf(deps: Deps, s: Snapshot, nodes: readonly NodeView[]): Promise<FormChoices> {
  const rehearsals = await deps.store.listChanges({ open: false, limit: 200 });
  return {
    version: s.change.version,
    jobs: jobsOf(nodes),
    yaml: (await deps.store.planYaml(s.change.id)) ?? "",
    people: s.people.map(({ id, name }) => ({ id, name })),
    timezone: s.windows[0]?.timezone ?? "UTC",
    classes: s.classes.map(({ id, label }) => {
      const fits = s.available.filter((one) => one.classId === id);
      return {
        label,
        jobs: fits.map(({ spec }) => `${spec.name}@${spec.version}`),
        baselines: fits.flatMap(({ spec, baselines }) =>
          baselines.map((one) => ({
            id: one.id,
            text: `${spec.name}@${spec.version}, ${one.summary.conditions["ranks"] || "unknown"} ranks, ${one.id}`,
          })),
        ),
      };
    }),
    rehearsals: rehearsals.filter((one) => one.purpose === "rehearsal").map(({ id, title }) => ({ id, text: `${id}, ${title}` })),
    findings: s.findings
      .filter((one) => one.kind === "plan" && one.closedAt === null && one.acceptedBy !== null)
      .map((one) => ({ id: one.id, text: one.because })),
    warnings: Object.fromEntries(
      s.reports.map((report) => [report.id, warningsOf(report.body).map(({ code, text }) => ({ id: code, text }))]),
    ),
  };
}

/** The one asked for, else the first whose host is not known to match, else the first. */
function nodeShown(s: Snapshot, wanted: string | null): ChangePage["node"] {
  const asked = s.targets.find((one) => one.name === wanted);
  const telling = s.targets.find((one) => one.updateBegan && one.board !== null && one.board.now.host_report.verdict !== "matches");
  const target = asked ?? telling ?? s.targets.find((one) => one.board !== null);
  if (target === undefined) return null;
  const before = Object.entries(target.board?.before ?? {}).map(([field, match]): [string, string | null] => [
    field,
    match.verdict !== "not_applicable" && match.known.is === "value" ? match.known.value : null,
  ]);
  return { name: target.name, before: Object.fromEntries(before), sentences: (target.board?.sentences ?? []).map(configSentence) };
}

const leavesOf = (s: Snapshot, nodes: readonly NodeView[]): ChangePage["leaves"] =>
  s.cluster.hasTopology ? Object.fromEntries(nodes.map((one) => [one.name, (one.leaves ?? []).map((leaf) => leaf.name)])) : {};

const jobsOf = (nodes: readonly NodeView[]): FormChoices["jobs"] =>
  Object.fromEntries(
    nodes.flatMap(({ name, jobs }) => (jobs.length === 0 ? [] : [[name, jobs.map((job) => `${job.id} of ${job.user} on ${name}`)]])),
  );
