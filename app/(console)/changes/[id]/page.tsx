import { type Metadata } from "next";

import { ActionList } from "@/components/change/action-list";
import { BatchTable } from "@/components/change/batch-table";
import { BatchesByLeaf } from "@/components/change/batches-by-leaf";
import { CanaryReports } from "@/components/change/canary-reports";
import { ChangeHead } from "@/components/change/change-head";
import { CheckTable } from "@/components/change/check-table";
import { CommandTable } from "@/components/change/command-table";
import { ConfigBoard } from "@/components/change/config-board";
import { GateList } from "@/components/change/gate-list";
import { NodeTable } from "@/components/change/node-table";
import { RecordFacts, RecordLists, StandingWords } from "@/components/change/record-lists";
import { TallyBar } from "@/components/change/tally-bar";
import { WindowStrip } from "@/components/change/window-strip";
import { LiveRefresh } from "@/components/live/live-refresh";
import { loadChange } from "@/lib/server/load-change";

import { act } from "./actions";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ node?: string | string[] }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).id) };
}

export default async function ChangePage({ params, searchParams }: Props) {
  const { node: wanted } = await searchParams;
  const { view, actions, choices, leaves, evidence, node, now } = await loadChange(
    decodeURIComponent((await params).id),
    typeof wanted === "string" ? wanted : null,
  );
  const live = <LiveRefresh at={now.toISOString()} change={view.id} />;
  return (
    <>
      <ChangeHead view={view} now={now} live={live} />
      <ActionList view={view} actions={actions} choices={choices} act={act} />
      <StandingWords view={view} />
      <TallyBar view={view} />
      <WindowStrip view={view} now={now} />
      <div className="cols over2">
        <div className="stack">
          <BatchesByLeaf view={view} leaves={leaves} />
          <BatchTable view={view} />
        </div>
        <GateList gates={view.gates} />
      </div>
      <NodeTable view={view} now={now} />
      <ConfigBoard view={view} node={node} now={now} />
      <CheckTable checks={view.checks} notChecked={view.notChecked} evidence={evidence} now={now} />
      <CanaryReports view={view} />
      <CommandTable commands={view.commands} now={now} />
      <div className="cols half">
        <div className="stack">
          <RecordLists view={view} now={now} />
        </div>
        <RecordFacts view={view} now={now} />
      </div>
    </>
  );
}
