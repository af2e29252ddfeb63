import { z } from "zod";
import { ACTION_WORDS } from "@/lib/core/change/action-words";
import { isAhead, isOnTheWay } from "@/lib/core/change/on-the-way";
import type { ActionView, ChangeView, TargetView } from "@/lib/core/change/view/change-view";
import { decidedOn, thingName } from "@/lib/core/change/view/thing-name";
import { foldHostlist } from "@/lib/core/kernel/hostlist";
import { versionsOf, type Reported } from "./node-version";

const Who = z.strictObject({ id: z.string(), name: z.string() });
const Said = z.strictObject({ version: z.string().nullable(), source: z.string(), at: z.string().nullable(), because: z.string() });
const Act = z.strictObject({
  action: z.string(),
  words: z.string(),
  on: z.string().nullable(),
  who: z.array(z.string()),
  because: z.array(z.string()),
});

/** What the next shift reads: plan against actual, what is next, what is closed and why, who decides (R8.6, S7). Instants are ISO texts in UTC. */
export const HandoffPage = z.strictObject({
  id: z.string(),
  title: z.string(),
  cluster: z.string(),
  /** When the record was read. */ at: z.string(),
  /** Version of the record, revision and fingerprint of the plan, last line of the audit. */
  record: z.strictObject({
    version: z.number(),
    revision: z.number(),
    plan: z.string(),
    audit: z.strictObject({ seq: z.number(), hash: z.string() }).nullable(),
  }),
  state: z.string(),
  held: z.boolean(),
  stands: z.string(),
  next: z.string(),
  owner: Who,
  decisionOwner: Who.nullable(),
  goal: z.strictObject({ component: z.string(), version: z.string() }),
  tally: z.record(z.string(), z.number()),
  planned: z.number(),
  out: z.strictObject({ nodes: z.number(), gpus: z.number(), pct: z.number() }),
  /** Every planned node under exactly one version, the unknown ones under null. */
  versions: z.array(
    z.strictObject({
      version: z.string().nullable(),
      nodes: z.number(),
      names: z.string(),
      outcomes: z.array(z.strictObject({ outcome: z.string(), nodes: z.number(), names: z.string() })),
      sources: z.array(z.string()),
      oldest: z.string().nullable(),
    }),
  ),
  investigate: z.array(
    z.strictObject({ node: z.string(), outcome: z.string(), because: z.string(), owner: Who.nullable(), since: z.string() }),
  ),
  may: z.array(Act),
  mayNot: z.array(Act),
  approvers: z.array(z.string()),
  rows: z.array(
    z.strictObject({
      node: z.string(),
      leaves: z.array(z.string()),
      batch: z.number(),
      canary: z.boolean(),
      outcome: z.string(),
      since: z.string(),
      attempted: z.boolean(),
      runs: Said,
      because: z.string().nullable(),
      owner: z.string().nullable(),
    }),
  ),
  /** Nodes of the cluster that the plan does not name, outside the totals. */
  notInPlan: z.strictObject({ nodes: z.number(), names: z.string() }),
  waivers: z.array(z.strictObject({ on: z.string(), by: z.string(), reason: z.string(), until: z.string().nullable() })),
  holds: z.array(z.strictObject({ kind: z.string(), owner: z.string(), because: z.string(), since: z.string() })),
  obligations: z.array(z.strictObject({ what: z.string(), on: z.string(), name: z.string(), since: z.string() })),
  windows: z.array(z.strictObject({ startsAt: z.string(), endsAt: z.string(), timezone: z.string() })),
});
export type HandoffPage = z.infer<typeof HandoffPage>;

/** What the record does not hold: the cluster's nodes with what their hosts last said, their leaves, and the audit's last line. */
export type Around = {
  readonly nodes: readonly { readonly name: string; readonly leaves: readonly string[]; readonly reported: Reported }[];
  readonly audit: HandoffPage["record"]["audit"];
};

const LOUD = [
  "Rollback failed",
  "Failed",
  "Unresolved",
  "Withheld",
  "Draining",
  "Updating",
  "Rebooting",
  "Validating",
  "Rolled back",
  "Accepted",
];
const loudness = ({ outcome }: { readonly outcome: string }): number => (LOUD.indexOf(outcome) < 0 ? LOUD.length : LOUD.indexOf(outcome));

/** The handoff of a change as it is shown, at one moment. */
export function handoffPage(view: ChangeView, around: Around, now: Date): HandoffPage {
  const known = new Map(around.nodes.map((node) => [node.name, node]));
  const planned = new Set(view.targets.map(({ name }) => name));
  const others = around.nodes.filter(({ name }) => !planned.has(name)).map(({ name }) => name);
  const rows = view.targets
    .map((target) => rowOf(target, view.goal.component, known.get(target.name)))
    .sort((a, b) => loudness(a) - loudness(b) || a.batch - b.batch);
  return {
    id: view.id,
    title: view.title,
    cluster: view.cluster,
    at: now.toISOString(),
    record: { version: view.version, revision: view.revision, plan: view.fingerprint, audit: around.audit },
    state: view.state,
    held: view.holds.length > 0,
    stands: view.headline.stands,
    next: view.headline.next,
    owner: view.people.owner,
    decisionOwner: view.people.decisionOwner,
    goal: view.goal,
    tally: view.tally,
    planned: view.targets.length,
    out: { nodes: view.capacity.ours.nodes, gpus: view.capacity.ours.gpus, pct: view.capacity.pctOut },
    versions: versionsOf(rows, view.goal.version),
    investigate: view.targets
      .filter(({ needsInvestigation }) => needsInvestigation)
      .map((target) => ({
        node: target.name,
        outcome: target.outcome,
        because: target.because ?? "the record gives no reason",
        owner: target.investigator,
        since: target.since,
      })),
    may: view.actions
      .filter((one) => one.permitted && (isOnTheWay(one, view.gates) || one.action === view.nextAction.action))
      .map((one) => actOf(view, one)),
    mayNot: closedOnce(view.actions.filter((one) => !one.permitted && isAhead(one, view.gates)).map((one) => actOf(view, one))),
    approvers: [...new Set(view.actions.filter((one) => ["waive", "sign-off", "approve-plan"].includes(one.action)).flatMap(whoOf))],
    rows,
    notInPlan: { nodes: others.length, names: foldHostlist(others) },
    waivers: view.decisions
      .filter(({ kind, revoked }) => kind === "waiver" && !revoked)
      .map(({ on, by, reason, until }) => ({ on: decidedOn(view, on), by: by.name, reason, until })),
    holds: view.holds.map(({ kind, owner, because, since }) => ({ kind, owner: owner.name, because, since })),
    obligations: view.obligations.map(({ kind, on, name: called, since }) => ({ what: kind, on, name: called, since })),
    windows: view.windows.map(({ startsAt, endsAt, timezone }) => ({ startsAt, endsAt, timezone })),
  };
}

function rowOf(target: TargetView, component: string, around: Around["nodes"][number] | undefined): HandoffPage["rows"][number] {
  return {
    node: target.name,
    leaves: [...(around?.leaves ?? [])],
    batch: target.batch,
    canary: target.role === "canary",
    outcome: target.outcome,
    since: target.since,
    attempted: target.outcome !== "Not attempted",
    runs: runsOf(target, around?.reported[component]),
    because: target.because,
    owner: target.investigator?.name ?? target.releasedTo?.name ?? null,
  };
}

/** What the host itself said: for this change where it was asked for it, else the last word the inventory has. A read that counts no more is unknown (R1.4). */
function runsOf({ configuration, step }: TargetView, last: Reported[string] | undefined): z.infer<typeof Said> {
  const host = configuration?.["host_report"];
  if (host !== undefined && host.value !== null) return { version: host.value, source: host.sources.join(", "), at: host.at, because: "" };
  if (host !== undefined && step !== "waiting")
    return { version: null, source: host.sources.join(", "), at: host.at, because: host.because };
  if (last === undefined) return { version: null, source: "", at: null, because: "never read" };
  return { version: last.text, source: last.source, at: last.at, because: "" };
}

/** Of several closed things of one kind the later ones say only what is more than for the first. */
function closedOnce(closed: readonly z.infer<typeof Act>[]): z.infer<typeof Act>[] {
  return closed.map((one, i) => {
    const first = closed.slice(0, i).find(({ action }) => action === one.action);
    if (first === undefined) return one;
    const more = one.because.filter((reason) => !first.because.includes(reason));
    return more.length === one.because.length ? one : { ...one, because: [...more, `Otherwise as for ${first.on ?? first.words}.`] };
  });
}

function actOf(view: ChangeView, action: ActionView): z.infer<typeof Act> {
  return {
    action: action.action,
    words: upper((ACTION_WORDS as Readonly<Record<string, string>>)[action.action] ?? action.action),
    on: action.on === null ? null : thingName(view, action.action, action.on).replace(/^(batch (?=\d+$)|report )/, ""),
    who: whoOf(action),
    because: [...new Set(action.because)],
  };
}

const whoOf = ({ who }: ActionView): string[] =>
  who.people.length > 0 ? who.people.map((one) => one.name) : who.by.map((post) => post.replaceAll("_", " "));
const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
