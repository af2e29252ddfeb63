import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { type ChangeView } from "@/lib/core/change/view/change-view";

type Props = { changes: readonly ChangeView[]; now: Date };

/** Nodes of open changes that somebody has to look at, and what was found beside the plans. */
export function TroubledNodes({ changes, now }: Props) {
  const nodes = changes.flatMap((view) => view.targets.filter((one) => one.needsInvestigation).map((one) => ({ ...one, view })));
  const found = changes.flatMap((view) =>
    view.findings.filter((one) => one.closedAt === null && one.kind !== "plan").map((one) => ({ ...one, view })),
  );
  return (
    <Section
      title="Not accepted or not known"
      meta={`${nodes.length} nodes, ${found.length} findings`}
      end={<a href={paths.inventory()}>Inventory</a>}
    >
      {nodes.length + found.length === 0 ? (
        <p className="panel pad muted">No node of an open change waits for an investigation.</p>
      ) : (
        <div className="tw" tabIndex={0} role="region" aria-label="Not accepted or not known">
          <table>
            <thead>
              <tr>
                <th>Node</th>
                <th>State</th>
                <th>Why</th>
                <th>Out</th>
                <th>Owner</th>
                <th>Change</th>
                <th className="num">Since</th>
              </tr>
            </thead>
            <tbody>
              {nodes.map((one) => (
                <tr key={one.id} className={one.outcome === "Unresolved" ? "loud-open" : "loud-fail"}>
                  <th scope="row">
                    <a href={paths.node(one.view.cluster, one.name)}>{one.name}</a>
                  </th>
                  <td className="nw">
                    <Word word={one.outcome} />
                  </td>
                  <td className="wrap">{one.because ?? "no reason is recorded"}</td>
                  <td className="nw">
                    {one.gpus} <span className="u">GPUs</span>
                  </td>
                  <td className="nw">{one.investigator?.name ?? "nobody yet"}</td>
                  <td className="nw">
                    <a href={paths.change(one.view.id)}>{one.view.id}</a>
                  </td>
                  <td className="num nw">
                    <Instant iso={one.since} age={ageText(new Date(one.since), now)} />
                  </td>
                </tr>
              ))}
              {found.map((one) => (
                <tr key={one.id}>
                  <th scope="row">{one.on.replaceAll("_", " ")}</th>
                  <td className="nw">
                    <Word word={one.blocks ? "Open" : "Later"} />
                  </td>
                  <td className="wrap">{one.because}</td>
                  <td />
                  <td className="nw">{one.view.people.owner.name}</td>
                  <td className="nw">
                    <a href={`${paths.change(one.view.id)}#findings`}>{one.view.id}</a>
                  </td>
                  <td className="num nw">
                    <Instant iso={one.openedAt} age={ageText(new Date(one.openedAt), now)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
