import { type Metadata } from "next";

import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/client/paths";
import { loadAudit } from "@/lib/server/load-audit";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${decodeURIComponent((await params).id)}, audit` };
}

export default async function AuditPage({ params }: Props) {
  const id = decodeURIComponent((await params).id);
  const { events, total, verdict, now } = await loadAudit(id);
  return (
    <>
      <PageHead
        before={
          <>
            <a href={paths.changes()}>Changes</a> <span className="muted">/</span>{" "}
            <a className="mono" href={paths.change(id)}>
              {id}
            </a>
          </>
        }
        title="Audit"
        answer={
          verdict.broken === null
            ? `${total} events, every link and ${verdict.rows} rows intact.`
            : `The chain is broken at event ${verdict.broken.seq}.`
        }
        then={
          <>
            verified <Instant iso={now.toISOString()} />
          </>
        }
      />
      {verdict.broken !== null && (
        <Notice tone="fail" alert>
          <b>What stands here is not what was written.</b> {verdict.broken.what}
        </Notice>
      )}
      <div className="tw" tabIndex={0} role="region" aria-label="Events">
        <table>
          <thead>
            <tr>
              <th className="num">#</th>
              <th>When</th>
              <th>Who</th>
              <th>What</th>
              <th>Why</th>
              <th>Hash</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.seq}>
                <td className="num">{event.seq}</td>
                <td className="nw">
                  <Instant iso={event.at.toISOString()} />
                </td>
                <td className="nw">{event.who}</td>
                <th scope="row">{event.action}</th>
                <td className="wrap">{event.because}</td>
                <td className="mono src" title={event.hash}>
                  {event.hash.slice(0, 12)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {events.length < total && (
        <p className="note">
          The newest {events.length} of {total} events; all of them by API and by `clearance audit`.
        </p>
      )}
    </>
  );
}
