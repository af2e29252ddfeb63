import { Word } from "@/components/change/word";
import { Section } from "@/components/ui/section";
import { shownWord } from "@/lib/client/shown-word";
import { type MetricComparison } from "@/lib/core/acceptance/report";
import { figureText, sizeText } from "@/lib/core/kernel/figure-text";

import { MetricLines } from "./metric-lines";
import { MetricStrip } from "./metric-strip";

/** Both sides of every number with its limit: one strip for the row that decides, lines over the sizes, then all rows. */
export function BeforeAfter({ metrics }: { metrics: readonly MetricComparison[] }) {
  const names = [...new Set(metrics.map(({ metric }) => metric))];
  return (
    <Section
      title="Before and after"
      meta={metrics.length === 0 ? "nothing was compared" : "the row that decides is drawn, all rows are below"}
    >
      {metrics.length > 0 && (
        <div className="panel">
          {names.map((name) => (
            <Metric key={name} rows={metrics.filter(({ metric }) => metric === name)} />
          ))}
        </div>
      )}
      {metrics.length > 0 && <Rows metrics={metrics} />}
    </Section>
  );
}

function Metric({ rows }: { rows: readonly MetricComparison[] }) {
  const judged = rows.filter((row) => row.judged);
  const worst = (judged.length > 0 ? judged : rows).reduce((low, row) => (row.ratioPct < low.ratioPct ? row : low));
  return (
    <figure className="pad metric">
      <figcaption>
        <b>{worst.metric}</b>{" "}
        <span className="muted">
          {[worst.unit, sizeText(worst.bucket), worst.placement.replaceAll("_", " ")].filter((one) => one !== "").join(", ")}
        </span>
        <span className="end">
          <b>{figureText(worst.measured.median)}</b> <span className="u">{worst.unit}</span>, baseline {figureText(worst.baseline.median)},{" "}
          {worst.ratioPct.toFixed(2)} %, limit &gt; {worst.failAtOrBelowPct} % <Verdict row={worst} />
        </span>
      </figcaption>
      <MetricStrip row={worst} />
      {new Set(rows.map(({ bucket }) => bucket)).size > 1 && <MetricLines rows={rows} />}
    </figure>
  );
}

function Rows({ metrics }: { metrics: readonly MetricComparison[] }) {
  return (
    <details className="foldlist">
      <summary>{metrics.length} rows</summary>
      <div className="tw" tabIndex={0} role="region" aria-label="All rows of the comparison">
        <table className="dense">
          <thead>
            <tr>
              <th>Metric</th>
              <th className="num">Size</th>
              <th>Placement</th>
              <th className="num">Baseline</th>
              <th className="num">Measured</th>
              <th className="num">Runs</th>
              <th className="num">Of baseline</th>
              <th className="num">Limit</th>
              <th>Verdict</th>
            </tr>
          </thead>
          <tbody>
            {metrics.map((row) => (
              <tr key={`${row.metric} ${row.bucket} ${row.placement}`}>
                <th scope="row">{row.metric}</th>
                <td className="num">{sizeText(row.bucket)}</td>
                <td>{row.placement.replaceAll("_", " ")}</td>
                <td className="num">
                  {figureText(row.baseline.median)} <span className="u">{row.unit}</span>
                </td>
                <td className="num">
                  <b>{figureText(row.measured.median)}</b> <span className="u">{row.unit}</span>
                </td>
                <td className="num">
                  {row.baseline.runs}, {row.measured.runs}
                </td>
                <td className="num">{row.ratioPct.toFixed(2)} %</td>
                <td className="num">&gt; {row.failAtOrBelowPct} %</td>
                <td>
                  <Verdict row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Verdict({ row: { judged, verdict } }: { row: MetricComparison }) {
  if (!judged) return <span className="muted">only shown</span>;
  return <Word word={verdict === "warning" ? "Open" : shownWord(verdict)} />;
}
