import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView, type TargetView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = { view: Pick<ChangeView, "id" | "targets">; now: Date };

/** Needs somebody first, then what moves, then the rest in order. */
const URGENCY = ["Rollback failed", "Failed", "Unresolved", "Withheld", "Updating", "Rebooting", "Validating", "Draining", "Rolled back"];
const urgency = (target: TargetView): number => {
  const at = URGENCY.indexOf(target.outcome);
  return at >= 0 ? at : target.outcome === "Accepted" ? URGENCY.length : URGENCY.length + 1;
};

/** Every planned node with its one outcome, its step, since when, and why it waits. */
export function NodeTable({ view, now }: Props) {
  const nodes = [...view.targets].sort((a, b) => urgency(a) - urgency(b) || a.batch - b.batch);
  return (
    <Section title="Nodes" id="nodes" meta="what needs somebody first">
      <div className="tw tall" tabIndex={0} role="region" aria-label="Nodes">
        <table>
          <thead>
            <tr>
              <th>Node</th>
              <th className="num">Batch</th>
              <th>Outcome</th>
              <th>Step</th>
              <th>Why it waits, or what happened</th>
              <th>Scheduler says</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <tr key={node.id} className={loudness(node)}>
                <th scope="row">
                  <a className="mono" href={paths.change(view.id, node.name)}>
                    {node.name}
                  </a>
                  {node.role === "canary" && <span className="muted"> canary</span>}
                </th>
                <td className="num">{node.batch}</td>
                <td>
                  <Word word={node.outcome} settled={node.outcome === "Failed" && node.investigator !== null} />
                </td>
                <td className="nw">
                  {shownWord(node.step)}{" "}
                  <span className="src">
                    <Instant iso={node.since} age={ageText(new Date(node.since), now)} />
                    {node.generation > 1 ? `, try ${node.generation}` : ""}
                  </span>
                </td>
                <td className="wrap">
                  {[...node.waits, ...(node.because === null ? [] : [node.because])].join(" ")}
                  {node.investigator !== null && <span className="muted"> {node.investigator.name} investigates.</span>}
                  {node.releasedTo !== null && (
                    <span className="muted">
                      {" "}
                      With {node.releasedTo.name}, {node.ticket}.
                    </span>
                  )}
                </td>
                <td>
                  {node.service === null ? <Word word="Unknown" /> : shownWord(node.service)}{" "}
                  <span className="src reason">{node.serviceReason}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const loudness = (node: TargetView): string | undefined =>
  ["Failed", "Rollback failed"].includes(node.outcome) ? "loud-fail" : node.outcome === "Unresolved" ? "loud-open" : undefined;
