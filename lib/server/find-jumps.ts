import { type Jump } from "@/lib/client/jumps";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type Deps } from "@/lib/services/deps";

const EACH = 7;

/** Where a person may want to go who types this: changes, nodes and clusters, with where each stands at the right. */
export async function findJumps({ store }: Pick<Deps, "store">, wanted: string): Promise<readonly Jump[]> {
  const [{ changes, nodes }, clusters] = await Promise.all([store.findThings(wanted, EACH), store.clusters()]);
  const lower = wanted.toLowerCase();
  return [
    ...changes.map(({ id, title, state, outcome }) => ({
      group: "Changes" as const,
      to: paths.change(id),
      label: `${id} ${title}`,
      stands: outcome === null ? shownWord(state) : `${shownWord(state)}, ${outcome.replaceAll("_", " ")}`,
    })),
    ...nodes.map(({ name, cluster, service }) => ({
      group: "Nodes" as const,
      to: paths.node(cluster, name),
      label: name,
      stands: `${cluster}, ${service === null ? "service unknown" : service.replaceAll("_", " ")}`,
    })),
    ...clusters
      .filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(lower))
      .slice(0, EACH)
      .map(({ id, title }) => ({ group: "Clusters" as const, to: paths.inventory({ cluster: id }), label: id, stands: title })),
  ];
}
