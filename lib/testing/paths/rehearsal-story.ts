import { startRehearsalSite, type RehearsalSite } from "./rehearsal-site";

/** What a run leaves behind but for times, ids and how often something was tried: what was done to the world, the record, and what still stands. */
export type Story = {
  /** Each deed as "node what name", sorted: nodes of one batch go side by side. */
  readonly deeds: readonly string[];
  readonly record: Readonly<Record<string, readonly string[]>>;
  /** Whether the change's audit chain holds, and what does not. */
  readonly audit: { readonly intact: unknown; readonly broken: unknown };
  readonly left: { readonly notInService: readonly string[]; readonly reservations: readonly string[]; readonly openCommands: number };
};

const RECORD: Readonly<Record<string, string>> = {
  change: "select state::text, outcome::text from changes",
  batches: "select number, state::text from batches",
  targets:
    "select name, batch, role::text, mode::text, step::text, aim::text, stage, generation, update_began, rollback::text, saved from targets",
  // Whether somebody found it done already depends on who was interrupted.
  commands: "select key, kind, generation, state::text, replace(outcome ->> 'result', 'already', 'done') as result from commands",
  checks: `select c.gate::text, c.scope::text, t.name as on, c.batch, c.generation, c.name, c.verdict::text
    from checks c left join targets t on t.id = c.target_id`,
  obligations: "select kind::text, name, settled_at is not null as settled from obligations",
  holds: "select kind::text, batch, target_id, because, released_at is not null as released from holds",
  findings: "select kind, key, because, closed_at is not null as closed from findings",
  decisions: "select kind::text, on_what, choice from decisions",
  // Commands that one look planned together share a line, and so do nodes that were looked at together.
  lines: "select action, target_id, count(*)::int as times from audit_events where action <> 'commands.planned' group by 1, 2",
};

/** The story of a rehearsal in which nothing goes wrong, with one worker. */
export async function undisturbedStory(): Promise<Story> {
  const site = await startRehearsalSite();
  try {
    site.worker();
    const id = await site.begin();
    await site.walk(id);
    return await storyOf(site, id);
  } finally {
    await site.stop();
  }
}

export async function storyOf(site: RehearsalSite, id: string): Promise<Story> {
  const journal = await control<readonly Deed[]>(site, "journal");
  const state = await control<World>(site, "state");
  const record: Record<string, readonly string[]> = {};
  for (const [name, query] of Object.entries(RECORD)) record[name] = (await site.sql(query)).map((row) => JSON.stringify(row)).sort();
  const verdict = (await site.crew["AK"]?.get(`/changes/${id}/audit`))?.body;
  const [open] = await site.sql("select count(*)::int as open from commands where finished_at is null");
  return {
    deeds: journal
      .map((deed) => `${deed.node} ${deed.what} ${deed.key ?? deed.detail}${deed.refused === undefined ? "" : " refused"}`)
      .sort(),
    record,
    audit: { intact: verdict?.["intact"], broken: verdict?.["broken"] },
    left: {
      notInService: Object.values(state.nodes)
        .filter((node) => node.reason !== null && node.reason !== "")
        .map((node) => `${node.name}: ${node.reason}`),
      reservations: Object.keys(state.reservations),
      openCommands: Number(open?.["open"]),
    },
  };
}

type Deed = {
  readonly node: string | null;
  readonly what: string;
  readonly detail: string;
  readonly key?: string;
  readonly refused?: string;
};
type World = {
  readonly nodes: Readonly<Record<string, { readonly name: string; readonly reason: string | null }>>;
  readonly reservations: Readonly<Record<string, unknown>>;
};

async function control<T>(site: RehearsalSite, path: string): Promise<T> {
  return (await (await fetch(`${site.controlUrl}/_control/${path}`)).json()) as T;
}
