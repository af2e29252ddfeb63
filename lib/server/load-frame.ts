import { type NextAction } from "@/lib/core/change/action-state";
import { loadEnv } from "@/lib/env";
import { type PersonView } from "@/lib/ports/rows";

import { requirePerson } from "./session";
import { wired } from "./wired";

type Frame = {
  readonly person: PersonView;
  readonly clusters: readonly { readonly id: string; readonly nodes: number }[];
  /** Entry of the rail -> how much of it waits for this person. */
  readonly waiting: Readonly<Record<string, number>>;
  readonly demo: boolean;
};

/** What stands around every page. Sends anonymous people to the sign-in page. */
export async function loadFrame(): Promise<Frame> {
  const person = await requirePerson();
  const { store } = (await wired()).deps;
  const [clusters, open, { demo }] = await Promise.all([store.clusters(), store.listChanges({ open: true, limit: 500 }), loadEnv()]);
  const mine = open.filter(({ nextAction }) => waitsFor(nextAction as NextAction | null, person));
  return { person, clusters: clusters.map(({ id, nodes }) => ({ id, nodes })), waiting: { Now: mine.length }, demo };
}

const waitsFor = (next: NextAction | null, person: PersonView): boolean => next?.by === "person" && next.who.includes(person.id);
