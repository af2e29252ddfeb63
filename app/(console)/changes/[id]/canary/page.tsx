import { type Metadata } from "next";

import { BeforeAfter } from "@/components/canary/before-after";
import { Claim } from "@/components/canary/claim";
import { FourFindings } from "@/components/canary/four-findings";
import { RecordChecks } from "@/components/canary/record-checks";
import { RecordTabs } from "@/components/canary/record-tabs";
import { RehearsalList } from "@/components/canary/rehearsal-list";
import { SignOffCard } from "@/components/canary/sign-off-card";
import { ConfigBoard } from "@/components/change/config-board";
import { Word } from "@/components/change/word";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHead } from "@/components/ui/page-head";
import { PrintButton } from "@/components/ui/print-button";
import { paths } from "@/lib/client/paths";
import { loadCanary } from "@/lib/server/load-canary";

import { act } from "../actions";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ report?: string | string[] }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Canary record ${decodeURIComponent((await params).id)}` };
}

export default async function CanaryPage({ params, searchParams }: Props) {
  const { report } = await searchParams;
  const id = decodeURIComponent((await params).id);
  const { record, page } = await loadCanary(id, typeof report === "string" ? report : null);
  const { view, actions, choices, evidence, node, now, person } = page;
  const before = (
    <>
      <a className="mono" href={paths.change(id)}>
        {id}
      </a>{" "}
      <span className="muted">/</span>
    </>
  );
  if (record === null) {
    const then = view.headline.next;
    return (
      <PageHead
        before={before}
        title="Canary record"
        answer="No canary record is frozen yet."
        then={then}
        tools={<LiveRefresh at={now.toISOString()} change={id} />}
      />
    );
  }
  const missing = record.open.filter(({ verdict }) => verdict === "unresolved").length;
  return (
    <>
      <p className="only-print paper-line">
        <b>Clearance</b> canary record · {record.id} · record sha256 {record.fingerprint} · plan sha256 {view.fingerprint} · printed{" "}
        {now.toISOString().slice(0, 19).replace("T", " ")} UTC by {person.name}
      </p>
      <PageHead
        before={before}
        title={`Canary record ${record.number}, ${record.canary}`}
        answer={
          <>
            <Word word={missing > 0 ? "Unresolved" : record.open.length > 0 ? "Fail" : "Pass"} /> {record.stands}
          </>
        }
        then={view.headline.next}
        tools={
          <>
            <LiveRefresh at={now.toISOString()} change={id} />
            <PrintButton />
          </>
        }
      >
        <RecordTabs view={view} current={record.id} />
      </PageHead>
      <div className="cols record">
        <div className="stack">
          <Claim record={record} />
          <FourFindings record={record} />
          <RecordChecks checks={record.checks} evidence={evidence} now={now} />
          <BeforeAfter metrics={record.metrics} />
          <ConfigBoard view={view} node={node} now={now} />
          <RehearsalList rehearsals={view.rehearsals} />
        </div>
        <SignOffCard {...{ record, view, actions, choices, act }} />
      </div>
    </>
  );
}
