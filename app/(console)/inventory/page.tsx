import { type Metadata } from "next";

import { InventoryTable } from "@/components/inventory/inventory-table";
import { PageLinks } from "@/components/inventory/page-links";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { addressOf, readQuery, SHOWN } from "@/lib/client/inventory-query";
import { inventoryCsv } from "@/lib/client/inventory-csv";
import { paths } from "@/lib/client/paths";
import { loadInventory } from "@/lib/server/load-inventory";

export const metadata: Metadata = { title: "Inventory" };

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

const NAMES = {
  all: "All",
  out: "Not in service",
  change: "In a change",
  differs: "Differs from its class",
  unread: "Never read",
  free: "In no change",
};

export default async function InventoryPage({ searchParams }: Props) {
  const query = readQuery(await searchParams);
  const { clusters, cluster, counts, rows, found, page, pages, now } = await loadInventory(query);
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
            : `${counts.all - counts.out} of ${counts.all} nodes of ${cluster.id} are in service, ${counts.out} are not or are not known.`
        }
        then={`${counts.change} ${counts.change === 1 ? "is" : "are"} in a change, ${counts.differs} ${counts.differs === 1 ? "differs from its" : "differ from their"} class, ${counts.unread} never said what runs.`}
        tools={
          <>
            <LiveRefresh at={now.toISOString()} />
            {cluster !== undefined && rows.length > 0 && <CopyButton text={inventoryCsv(cluster.id, rows)}>Copy as CSV</CopyButton>}
          </>
        }
      />
      <nav className="chips" aria-label="Filter">
        {clusters.map(({ id }) => (
          <a key={id} className="chip" href={addressOf(query, { cluster: id })} aria-current={id === cluster?.id ? "true" : undefined}>
            {id}
          </a>
        ))}
        <span className="muted">show</span>
        {SHOWN.map((show) => (
          <a key={show} className="chip" href={addressOf(query, { show })} aria-current={query.show === show ? "true" : undefined}>
            {NAMES[show]} <span className="muted">{counts[show]}</span>
          </a>
        ))}
        <form method="get" action={paths.inventory()} className="inline" role="search">
          {query.cluster !== null && <input type="hidden" name="cluster" value={query.cluster} />}
          {query.show !== "all" && <input type="hidden" name="show" value={query.show} />}
          {query.sort !== "need" && <input type="hidden" name="sort" value={query.sort} />}
          <label>
            <span className="sr">Find</span>
            <input className="in small" name="find" defaultValue={query.find} placeholder="node, leaf, reason, version" maxLength={100} />
          </label>
          <button className="btn small">Find</button>
        </form>
      </nav>
      {silent.map((read) => (
        <Notice key={read.source} tone="open">
          <b>Source {read.source} does not answer.</b> {read.reason} What it says below is as old as shown; nothing is drained or returned
          until it does.
        </Notice>
      ))}
      <InventoryTable query={query} cluster={cluster?.id ?? ""} rows={rows} now={now} />
      <PageLinks query={query} found={found} page={page} pages={pages} />
    </>
  );
}
