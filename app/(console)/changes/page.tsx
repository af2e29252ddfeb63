import { type Metadata } from "next";

import { ChangeList } from "@/components/change/change-list";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/client/paths";
import { loadChanges, SHOWN } from "@/lib/server/load-changes";

export const metadata: Metadata = { title: "Changes" };

type Props = { searchParams: Promise<{ cluster?: string | string[]; show?: string | string[] }> };

export default async function ChangesPage({ searchParams }: Props) {
  const asked = await searchParams;
  const cluster = typeof asked.cluster === "string" && asked.cluster !== "" ? asked.cluster : null;
  const show = SHOWN.find((one) => one === asked.show) ?? "open";
  const { person, changes, clusters, now } = await loadChanges({ cluster, show });
  const held = changes.filter((change) => change.held).length;
  const waiting = changes.filter((change) => change.who !== "" && change.who !== "worker").length;
  const mine = changes.filter((change) => change.who.split(", ").includes(person.name));
  return (
    <>
      <PageHead
        title="Changes"
        answer={`${changes.length === 0 ? "No change is" : changes.length === 1 ? "1 change is" : `${changes.length} changes are`} ${show === "all" ? "recorded" : show}${cluster === null ? "" : ` on ${cluster}`}, ${held} on hold, ${waiting} wait for a person.`}
        then={mine.length === 0 ? "None waits for you." : `Next for you: ${mine[0]?.next} (${mine[0]?.id}).`}
        tools={
          <>
            <LiveRefresh at={now.toISOString()} />
            <a className="btn small primary" href={paths.newChange()}>
              New change
            </a>
          </>
        }
      />
      <nav className="chips" aria-label="Filter">
        {SHOWN.map((one) => (
          <a
            key={one}
            className="chip"
            href={paths.changes({ show: one, cluster: cluster ?? undefined })}
            aria-current={one === show ? "true" : undefined}
          >
            {one === "open" ? "Open" : one === "ended" ? "Ended" : "All"}
          </a>
        ))}
        <span className="muted">on</span>
        <a className="chip" href={paths.changes({ show })} aria-current={cluster === null ? "true" : undefined}>
          every cluster
        </a>
        {clusters.map(({ id }) => (
          <a key={id} className="chip" href={paths.changes({ show, cluster: id })} aria-current={cluster === id ? "true" : undefined}>
            {id}
          </a>
        ))}
      </nav>
      <ChangeList changes={changes} now={now} show={show} />
    </>
  );
}
