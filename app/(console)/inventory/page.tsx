import { type Metadata } from "next";

import { InventoryTable } from "@/components/inventory/inventory-table";
import { LiveRefresh } from "@/components/live/live-refresh";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/client/paths";
import { loadInventory } from "@/lib/server/load-inventory";

export const metadata: Metadata = { title: "Inventory" };

type Props = { searchParams: Promise<{ cluster?: string | string[]; show?: string | string[] }> };

export default async function InventoryPage({ searchParams }: Props) {
  const asked = await searchParams;
  const { clusters, cluster, nodes, now } = await loadInventory(typeof asked.cluster === "string" ? asked.cluster : null);
  const show = asked.show === "out" || asked.show === "change" ? asked.show : "all";
  const out = nodes.filter((node) => node.service !== "in_service");
  const inHand = nodes.filter((node) => node.changeId !== null);
  const silent = (cluster?.reads ?? []).filter(
    (read) => read.failedAt !== null && (read.confirmsAt === null || read.failedAt > read.confirmsAt),
  );
  return (
    <>
      <PageHead
        title="Inventory"
        answer={
          cluster === undefined
            ? "No such cluster."
            : `${nodes.length - out.length} of ${nodes.length} nodes of ${cluster.id} are in service, ${out.length} are not or are not known.`
        }
        then={inHand.length === 0 ? "No change has a node in hand." : `${inHand.length} are in the hands of a change.`}
        tools={<LiveRefresh at={now.toISOString()} />}
      />
      <nav className="chips" aria-label="Filter">
        {clusters.map(({ id }) => (
          <a key={id} className="chip" href={paths.inventory({ cluster: id, show })} aria-current={id === cluster?.id ? "true" : undefined}>
            {id}
          </a>
        ))}
        <span className="muted">show</span>
        {(
          [
            ["all", "All", nodes.length],
            ["out", "Not in service", out.length],
            ["change", "In a change", inHand.length],
          ] as const
        ).map(([key, name, count]) => (
          <a
            key={key}
            className="chip"
            href={paths.inventory({ cluster: cluster?.id, show: key })}
            aria-current={show === key ? "true" : undefined}
          >
            {name} <span className="muted">{count}</span>
          </a>
        ))}
      </nav>
      {silent.map((read) => (
        <Notice key={read.source} tone="open">
          <b>Source {read.source} does not answer.</b> {read.reason} What it says below is as old as shown; nothing is drained or returned
          until it does.
        </Notice>
      ))}
      <InventoryTable nodes={show === "out" ? out : show === "change" ? inHand : nodes} now={now} />
    </>
  );
}
