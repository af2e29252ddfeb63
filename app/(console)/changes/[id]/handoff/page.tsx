import { type Metadata } from "next";

import { BatchesByLeaf } from "@/components/change/batches-by-leaf";
import { TallyBar } from "@/components/change/tally-bar";
import { Word } from "@/components/change/word";
import { FiveQuestions } from "@/components/handoff/five-questions";
import { PaperLine } from "@/components/handoff/paper-line";
import { PlanAgainstActual } from "@/components/handoff/plan-against-actual";
import { StandingLists } from "@/components/handoff/standing-lists";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHead } from "@/components/ui/page-head";
import { PrintButton } from "@/components/ui/print-button";
import { paths } from "@/lib/client/paths";
import { afterState, shownWord } from "@/lib/client/shown-word";
import { loadHandoff } from "@/lib/server/load-handoff";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Handoff ${decodeURIComponent((await params).id)}` };
}

export default async function HandoffOfChange({ params }: Props) {
  const { person, page, view, markdown, now } = await loadHandoff(decodeURIComponent((await params).id));
  const leaves = Object.fromEntries(page.rows.map((row) => [row.node, row.leaves]));
  const state = shownWord(page.state);
  return (
    <>
      <PaperLine page={page} reader={person.name} />
      <PageHead
        before={
          <>
            <a className="mono" href={paths.change(page.id)}>
              {page.id}
            </a>{" "}
            <span className="muted">/</span>
          </>
        }
        title={`Handoff, ${page.title}`}
        answer={
          <>
            <Word word={page.held ? "On hold" : state} /> {afterState(page.stands, state)}
          </>
        }
        then={page.next}
        tools={
          <>
            <LiveRefresh at={page.at} change={page.id} />
            <CopyButton text={markdown}>Copy as Markdown</CopyButton>
            <PrintButton />
          </>
        }
      />
      <TallyBar view={view} />
      <FiveQuestions page={page} now={now} />
      <div className="cols maps">
        <BatchesByLeaf view={view} leaves={leaves} />
        <StandingLists page={page} now={now} />
      </div>
      <PlanAgainstActual page={page} now={now} />
      <div className="only-print sig">
        <span>Takes over: name, date, time</span>
        <span>Hands over, {page.owner.name}: date, time</span>
        <span>Decides: {page.decisionOwner?.name ?? "nobody named"}</span>
      </div>
    </>
  );
}
