import { type Metadata } from "next";

import { HandoffList } from "@/components/handoff/handoff-list";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHead } from "@/components/ui/page-head";
import { loadHandoffs } from "@/lib/server/load-handoffs";

export const metadata: Metadata = { title: "Handoff" };

export default async function HandoffsPage() {
  const { changes, notShown, now } = await loadHandoffs();
  const begun = changes.filter(({ startedAt }) => startedAt !== null).length;
  const total = changes.length + notShown;
  return (
    <>
      <PageHead
        title="Handoff"
        answer={
          total === 0
            ? "No change is open: there is nothing to hand over."
            : `${begun} of ${total} open ${total === 1 ? "change" : "changes"} under way.`
        }
        then={total === 0 ? undefined : "Each one answers on one page where it stands, what is next and who decides."}
        tools={<LiveRefresh at={now.toISOString()} />}
      />
      <HandoffList changes={changes} notShown={notShown} />
    </>
  );
}
