import { Word } from "@/components/change/word";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { csvOf } from "@/lib/client/csv";
import { paths } from "@/lib/client/paths";
import { type HandoffPage } from "@/lib/core/handoff/handoff-page";

type Row = HandoffPage["rows"][number];

/** Every planned node: what was planned, what became of it, what its host says it runs. What needs somebody is first. */
export function PlanAgainstActual({ page, now }: { page: HandoffPage; now: Date }) {
  return (
    <Section
      title="Plan against actual"
      id="nodes"
      meta={`${page.rows.length} nodes, what needs somebody first; planned for all: ${page.goal.version}`}
      end={
        <span className="no-print">
          <CopyButton text={csv(page)}>Copy as CSV</CopyButton>
        </span>
      }
    >
      <div className="tw tall" tabIndex={0} role="region" aria-label="Plan against actual">
        <table className="dense">
          <thead>
            <tr>
              <th>Node</th>
              <th className="w">Leaf</th>
              <th className="num">Batch</th>
              <th>Outcome</th>
              <th className="w">Since</th>
              <th>Runs now</th>
              <th>Why</th>
              <th className="w">Owner</th>
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row) => (
              <tr key={row.node} className={loudness(row)}>
                <th scope="row">
                  <a className="mono" href={paths.node(page.cluster, row.node)}>
                    {row.node}
                  </a>
                  {row.canary && <span className="muted"> canary</span>}
                </th>
                <td className="w">{row.leaves.length === 0 ? "unknown" : row.leaves.join(", ")}</td>
                <td className="num">{row.batch}</td>
                <td>
                  <Word word={row.outcome} settled={row.outcome === "Failed" && row.owner !== null} />
                </td>
                <td className="nw w">
                  <Instant iso={row.since} age={ageText(new Date(row.since), now)} />
                </td>
                <td className="nw">
                  <Runs row={row} now={now} />
                </td>
                <td className="wrap">{row.because}</td>
                <td className="w">{row.owner ?? <span className="muted">none</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="note">
        Not in plan, outside the totals: {page.notInPlan.nodes} {page.notInPlan.nodes === 1 ? "node" : "nodes"} of {page.cluster}
        {page.notInPlan.nodes === 0 ? "." : `, ${page.notInPlan.names}.`}
      </p>
    </Section>
  );
}

function Runs({ row: { runs }, now }: { row: Row; now: Date }) {
  if (runs.version === null)
    return (
      <>
        <Word word="Unknown" /> <span className="src">{runs.because}</span>
      </>
    );
  return (
    <>
      <span className="mono">{runs.version}</span>{" "}
      <span className="src">
        {runs.source} {runs.at !== null && <Instant iso={runs.at} age={ageText(new Date(runs.at), now)} />}
      </span>
    </>
  );
}

const loudness = ({ outcome }: Row): string | undefined =>
  ["Failed", "Rollback failed"].includes(outcome) ? "loud-fail" : outcome === "Unresolved" ? "loud-open" : undefined;

const csv = ({ rows, goal }: HandoffPage): string =>
  csvOf(
    ["node", "leaf", "batch", "outcome", "since", "planned", "runs", "read", "source", "why", "owner"],
    rows.map((row) => [
      row.node,
      row.leaves.join(" "),
      String(row.batch),
      row.outcome,
      row.since,
      goal.version,
      row.runs.version ?? "not known",
      row.runs.at ?? "",
      row.runs.source,
      row.because ?? row.runs.because,
      row.owner ?? "",
    ]),
  );
