import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";

type Node = {
  readonly name: string;
  readonly role: string;
  readonly classLabel: string;
  readonly gpus: number;
  readonly leaves: readonly { readonly name: string }[] | null;
  readonly partitions: readonly string[];
  readonly service: string;
  readonly serviceReason: string | null;
  readonly serviceSeenAt: Date | null;
  readonly reported: Readonly<Record<string, { readonly text: string; readonly source: string; readonly observedAt: Date }>>;
  readonly changeId: string | null;
  readonly step: string | null;
};

/** Every node, what needs reading first: not in service, then in a change, then by name. */
export function InventoryTable({ nodes, now }: { nodes: readonly Node[]; now: Date }) {
  const first = (node: Node): number => (node.service !== "in_service" ? 0 : node.changeId !== null ? 1 : 2);
  const sorted = [...nodes].sort((a, b) => first(a) - first(b));
  return (
    <div className="tw inventory" tabIndex={0} role="region" aria-label="Nodes">
      <table>
        <thead>
          <tr>
            <th>Node</th>
            <th>Class</th>
            <th className="num">GPUs</th>
            <th>Leaf</th>
            <th>Service</th>
            <th>Reason</th>
            <th>Reported</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((node) => (
            <tr key={node.name}>
              <th scope="row" className="mono">
                {node.name}
              </th>
              <td className="nw">{node.classLabel === "" ? node.role : node.classLabel}</td>
              <td className="num">{node.gpus}</td>
              <td className="nw">{node.leaves === null ? <Word word="Unknown" /> : node.leaves.map((leaf) => leaf.name).join(", ")}</td>
              <td className="nw">
                <Word word={shownWord(node.service)} />{" "}
                <span className="src">
                  {node.serviceSeenAt === null ? (
                    "never read"
                  ) : (
                    <Instant iso={node.serviceSeenAt.toISOString()} age={ageText(node.serviceSeenAt, now)} />
                  )}
                </span>
              </td>
              <td className="wrap">{node.serviceReason}</td>
              <td className="wrap">
                {bySource(node.reported, now).map(({ source, age, at, values }) => (
                  <span key={`${source} ${age}`} className="two">
                    {values.map(([component, text]) => (
                      <span key={component} className="gap">
                        <span className="muted">{component}</span> <span className="mono">{text}</span>
                      </span>
                    ))}{" "}
                    <span className="src">
                      {source} · <Instant iso={at} age={age} />
                    </span>
                  </span>
                ))}
                {Object.keys(node.reported).length === 0 && <span className="muted">not read yet</span>}
              </td>
              <td className="nw">
                {node.changeId !== null && (
                  <>
                    <a className="mono" href={paths.change(node.changeId, node.name)}>
                      {node.changeId}
                    </a>{" "}
                    <span className="muted">{node.step?.replaceAll("_", " ")}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What one source said at one time stands together, with its source and age once. */
function bySource(reported: Node["reported"], now: Date) {
  const groups = new Map<string, { source: string; age: string; at: string; values: [string, string][] }>();
  for (const [component, { text, source, observedAt }] of Object.entries(reported)) {
    const age = ageText(observedAt, now);
    const group = groups.get(`${source} ${age}`) ?? { source, age, at: observedAt.toISOString(), values: [] };
    group.values.push([component.replaceAll("_", " "), text]);
    groups.set(`${source} ${age}`, group);
  }
  return [...groups.values()];
}
