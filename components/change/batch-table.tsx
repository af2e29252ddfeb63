import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { foldHostlist } from "@/lib/core/kernel/hostlist";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

/** Every batch with its nodes, how they stand, and why it waits. */
export function BatchTable({ view }: { view: Pick<ChangeView, "batches" | "targets"> }) {
  return (
    <Section title="Batches" id="batches" meta={`${view.batches.length} in order`}>
      <div className="tw tall" tabIndex={0} role="region" aria-label="Batches">
        <table>
          <thead>
            <tr>
              <th className="num">Batch</th>
              <th>Nodes</th>
              <th>State</th>
              <th>Its nodes are</th>
              <th>Waits</th>
            </tr>
          </thead>
          <tbody>
            {view.batches.map((batch) => {
              const nodes = view.targets.filter((target) => target.batch === batch.number);
              const bad = nodes.some((node) => ["Failed", "Rollback failed"].includes(node.outcome));
              const unclear = nodes.some((node) => node.outcome === "Unresolved");
              return (
                <tr key={batch.number} className={bad ? "loud-fail" : unclear ? "loud-open" : undefined}>
                  <td className="num">
                    {batch.number}
                    {batch.extraOf !== null && <span className="muted"> rest of {batch.extraOf}</span>}
                  </td>
                  <td className="mono">{foldHostlist(batch.targets)}</td>
                  <td>
                    <Word word={shownWord(batch.state)} />
                  </td>
                  <td>{outcomes(nodes)}</td>
                  <td className="wrap">
                    {batch.waits.join(" ")}
                    {batch.notBefore !== null && (
                      <span className="src">
                        {" "}
                        not before <Instant iso={batch.notBefore} />
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function outcomes(nodes: ChangeView["targets"]) {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(node.outcome, (counts.get(node.outcome) ?? 0) + 1);
  return (
    <span className="words">
      {[...counts].map(([word, count]) => (
        <Word key={word} word={word} count={count} />
      ))}
    </span>
  );
}
