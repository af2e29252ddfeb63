import { type Metadata } from "next";

import { CheckTable } from "@/components/change/check-table";
import { NodeFacts } from "@/components/inventory/node-facts";
import { NodeHistory } from "@/components/inventory/node-history";
import { NodeLayers } from "@/components/inventory/node-layers";
import { LiveRefresh } from "@/components/live/live-refresh";
import { Word } from "@/components/change/word";
import { PageHead } from "@/components/ui/page-head";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { loadNode } from "@/lib/server/load-node";

type Props = { params: Promise<{ cluster: string; node: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).node) };
}

export default async function NodePage({ params }: Props) {
  const { cluster, node: called } = await params;
  const { clusterId, node, layers, history, checks, evidence, next, differs, now } = await loadNode(
    decodeURIComponent(cluster),
    decodeURIComponent(called),
  );
  return (
    <>
      <PageHead
        before={
          <>
            <a href={paths.inventory({ cluster: clusterId })}>{clusterId}</a> <span className="muted">/</span>
          </>
        }
        title={node.name}
        answer={
          <>
            <Word word={shownWord(node.service)} /> since {ageText(node.serviceSince, now).replace(/ ago$/, "")}
            {node.serviceReason === null ? "." : `: ${node.serviceReason}.`}
          </>
        }
        then={
          node.changeId === null
            ? "No change has it in hand."
            : `In ${node.changeId}, ${(node.step ?? "").replaceAll("_", " ")}. ${next ?? ""}`
        }
        tools={<LiveRefresh at={now.toISOString()} />}
      />
      <div className="cols half">
        <NodeFacts node={node} now={now} />
        <NodeLayers layers={layers} differs={differs} now={now} />
      </div>
      <NodeHistory history={history} node={node.name} now={now} />
      {checks.length > 0 && <CheckTable checks={checks} notChecked={[]} evidence={evidence} now={now} />}
    </>
  );
}
