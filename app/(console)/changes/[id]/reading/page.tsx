import { type Metadata } from "next";

import { ReadingForm } from "@/components/change/reading-form";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { figureText, sizeText } from "@/lib/core/kernel/figure-text";
import { paths } from "@/lib/client/paths";
import { CONFIG_FIELDS } from "@/lib/core/config-state/observation";
import { loadReading } from "@/lib/server/load-reading";

import { recordReading } from "./actions";

export const metadata: Metadata = { title: "Second reading" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ report?: string | string[] }> };

export default async function ReadingPage({ params, searchParams }: Props) {
  const { report: wanted } = await searchParams;
  const { change, report, asked, closed, people } = await loadReading(
    decodeURIComponent((await params).id),
    typeof wanted === "string" ? wanted : null,
  );
  const { board, metrics } = report.body;
  return (
    <>
      <PageHead
        before={
          <>
            <a href={paths.changes()}>Changes</a> <span className="muted">/</span>{" "}
            <a className="mono" href={paths.change(change.id)}>
              {change.id}
            </a>
          </>
        }
        title="Second reading"
        answer={`Read what was seen on ${report.body.canary}, and choose what you would conclude. `}
        then="The verdicts of the record are hidden here; your answers are compared with them afterwards."
      />
      {closed.length > 0 && (
        <Notice tone="open">
          <b>Closed now.</b> {closed.join(" ")}
        </Notice>
      )}
      <Section title="What was seen" meta={`report ${report.number}, class canary ${report.body.canary}, target ${change.goal.text}`}>
        <dl className="panel pad kv wide">
          {CONFIG_FIELDS.map((field) => [field, board.now[field]] as const).map(([field, match]) => (
            <div key={field}>
              <dt>{field.replaceAll("_", " ")}</dt>
              <dd>
                {match.verdict === "not_applicable" ? (
                  match.because
                ) : match.known.is === "value" ? (
                  <>
                    <span className="mono">{match.known.value}</span>{" "}
                    <span className="src">
                      {match.known.sources.join(", ")} <Instant iso={match.known.at.toISOString()} />
                    </span>
                  </>
                ) : (
                  "no value that counts"
                )}
              </dd>
            </div>
          ))}
          {metrics.map((m) => (
            <div key={`${m.metric} ${m.bucket} ${m.placement}`}>
              <dt>
                {m.metric} {sizeText(m.bucket)} {m.placement.replaceAll("_", " ")}
              </dt>
              <dd>
                <b>{figureText(m.measured.median)}</b> <span className="u">{m.unit}</span>, before {figureText(m.baseline.median)}{" "}
                <span className="u">{m.unit}</span>
              </dd>
            </div>
          ))}
          {asked.map(({ name, asks, evidence }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <span className="soft">{asks}</span>{" "}
                {evidence.map((sha) => (
                  <a key={sha} className="mono sha" href={paths.evidence(sha)}>
                    {sha.slice(0, 10)}
                  </a>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <ReadingForm
        record={recordReading}
        changeId={change.id}
        reportId={report.id}
        layers={CONFIG_FIELDS}
        checks={asked.map((check) => check.name)}
        people={people}
        closed={closed.length > 0}
      />
    </>
  );
}
