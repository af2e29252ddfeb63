import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { figureText, sizeText } from "@/lib/core/kernel/figure-text";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = { view: Pick<ChangeView, "id" | "reports" | "classes" | "rehearsals"> };
type Metric = ChangeView["reports"][number]["metrics"][number];

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
            Report {report.number} of <span className="mono">{report.canary}</span>, class <span className="mono">{report.class}</span>{" "}
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
          {report.metrics.length > 0 && (
            <Metrics metrics={report.metrics} name={`Numbers of report ${report.number} of ${report.canary}`} />
          )}
          <p>
            <a href={paths.canary(view.id, report.id)}>Open the record</a>{" "}
            <span className="muted">with its claim, checks and sign-off, or</span>{" "}
            <a href={paths.reading(view.id, report.id)}>read it as a second reader</a>
          </p>
        </article>
      ))}
    </Section>
  );
}

function Metrics({ metrics, name }: { metrics: readonly Metric[]; name: string }) {
  return (
    <div className="tw tall" tabIndex={0} role="region" aria-label={name}>
      <table className="dense">
        <thead>
          <tr>
            <th>Metric</th>
            <th className="num">Size</th>
            <th>Placement</th>
            <th className="num">Measured</th>
            <th className="num">Baseline</th>
            <th className="num">Of baseline</th>
            <th>Verdict</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((m) => (
            <tr key={`${m.metric} ${m.bucket} ${m.placement}`}>
              <th scope="row">{m.metric}</th>
              <td className="num">{sizeText(m.bucket)}</td>
              <td>{m.placement.replaceAll("_", " ")}</td>
              <td className="num">
                <b>{figureText(m.measured)}</b> <span className="u">{m.unit}</span>
              </td>
              <td className="num">
                {figureText(m.baseline)} <span className="u">{m.unit}</span>
              </td>
              <td className="num">{m.ratioPct.toFixed(2)} %</td>
              <td>
                {m.judged ? (
                  <Word word={m.verdict === "warning" ? "Open" : shownWord(m.verdict)} />
                ) : (
                  <span className="muted">only shown</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
