import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = { view: Pick<ChangeView, "id" | "reports" | "classes" | "rehearsals"> };

const FINDINGS = ["comparable", "correct", "executed", "compared"] as const;

/** Per class: the locked job, and each canary report with its four findings and both sides of every number. */
export function CanaryReports({ view }: Props) {
  return (
    <Section title="Canary records" id="canary" meta={view.reports.length === 0 ? "none frozen yet" : undefined}>
      <div className="tw" tabIndex={0} role="region" aria-label="Node classes">
        <table>
          <thead>
            <tr>
              <th>Node class</th>
              <th className="num">Nodes</th>
              <th>Acceptance job</th>
              <th>Baseline</th>
              <th>Signed</th>
            </tr>
          </thead>
          <tbody>
            {view.classes.map((one) => (
              <tr key={one.id}>
                <th scope="row" className="mono">
                  {one.label}
                </th>
                <td className="num">{one.nodes}</td>
                <td className="mono">{one.job ?? <span className="muted">not locked</span>}</td>
                <td>{one.baseline ?? <span className="muted">none</span>}</td>
                <td>{one.signed ? <Word word="Done" /> : <Word word="Not yet" />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {view.reports.map((report) => (
        <article className="panel pad report" key={report.id} aria-label={`Report ${report.number} of ${report.canary}`}>
          <h3>
            <a href={paths.canary(view.id, report.id)}>
              Record {report.number} of <span className="mono">{report.canary}</span>
            </a>
            , class <span className="mono">{report.class}</span>{" "}
            <span className="src">
              frozen <Instant iso={report.createdAt} />, {report.fingerprint.slice(0, 16)}
            </span>
          </h3>
          <dl className="kv findings">
            {FINDINGS.map((name) => {
              const finding = report.findings[name];
              return finding === undefined ? null : (
                <div key={name}>
                  <dt>{shownWord(name)}</dt>
                  <dd>
                    <Word word={shownWord(finding.verdict)} /> <span className="soft">{finding.because}</span>
                  </dd>
                </div>
              );
            })}
          </dl>
          <p>
            <a href={paths.canary(view.id, report.id)}>Open the record</a>{" "}
            <span className="muted">with its claim, checks, numbers and sign-off, or</span>{" "}
            <a href={paths.reading(view.id, report.id)}>read it as a second reader</a>
          </p>
        </article>
      ))}
    </Section>
  );
}
