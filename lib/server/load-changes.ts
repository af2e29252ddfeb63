import { paths } from "@/lib/client/paths";
import { ACTION_WORDS } from "@/lib/core/change/action-words";
import { type NextAction } from "@/lib/core/change/action-state";
import { STATE_WORDS } from "@/lib/core/change/words";
import { type ChangeState } from "@/lib/core/change/state";
import { listChanges } from "@/lib/services/list-changes";

import { requirePerson } from "./session";
import { wired } from "./wired";

type ListedChange = {
  readonly id: string;
  readonly title: string;
  readonly ticket: string | null;
  readonly cluster: string;
  readonly type: string;
  readonly purpose: string;
  readonly state: string;
  readonly held: boolean;
  readonly outcome: string | null;
  readonly next: string;
  readonly who: string;
  readonly owner: string;
  readonly tally: Readonly<Record<string, number>>;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};
export const SHOWN = ["open", "ended", "all"] as const;
type Wanted = { readonly cluster: string | null; readonly show: (typeof SHOWN)[number] };

/** The list of changes, newest first, as the address asks for it. */
export async function loadChanges({ cluster, show }: Wanted) {
  const person = await requirePerson(paths.changes());
  const { deps } = await wired();
  const [rows, people, clusters, now] = await Promise.all([
    listChanges(deps, { clusterId: cluster, open: show === "all" ? null : show === "open" }),
    deps.store.people(),
    deps.store.clusters(),
    deps.clock.now(),
  ]);
  const nameOf = (id: string): string => people.find((one) => one.id === id)?.name ?? id;
  const changes = rows.map((row): ListedChange => ({
    id: row.id,
    title: row.title,
    ticket: row.ticket,
    cluster: row.clusterId,
    type: row.type,
    purpose: row.purpose,
    state: STATE_WORDS[row.state as ChangeState] ?? row.state,
    held: row.held,
    outcome: row.outcome,
    ...nextOf(row.nextAction as NextAction | null, nameOf),
    owner: nameOf(row.ownerId),
    tally: row.tally,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  }));
  return { person, changes, clusters: clusters.map(({ id, title }) => ({ id, title })), now };
}

function nextOf(next: NextAction | null, nameOf: (id: string) => string): Pick<ListedChange, "next" | "who"> {
  if (next === null) return { next: "not looked at yet", who: "" };
  if (next.by === "nobody") return { next: "nothing", who: "" };
  if (next.by === "worker") return { next: next.doing, who: "worker" };
  return {
    next: ACTION_WORDS[next.action],
    who: next.who.length === 0 ? "nobody holds that role" : next.who.slice(0, 3).map(nameOf).join(", "),
  };
}
