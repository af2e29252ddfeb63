import "./now.css";

import { type Metadata } from "next";

import { LiveRefresh } from "@/components/live/live-refresh";
import { RecentEvents } from "@/components/now/recent-events";
import { Rollouts } from "@/components/now/rollouts";
import { SilentSources } from "@/components/now/silent-sources";
import { TroubledNodes } from "@/components/now/troubled-nodes";
import { WaitsList } from "@/components/now/waits-list";
import { OwnershipList, WindowsAhead } from "@/components/now/windows-ahead";
import { PageHead } from "@/components/ui/page-head";
import { loadNow } from "@/lib/server/load-now";

export const metadata: Metadata = { title: "Now" };

export default async function NowPage() {
  const { person, now, changes, notShown, waiting, offers, silent, events } = await loadNow();
  const [first] = waiting;
  const busy = changes.filter(({ state }) => state !== "PENDING");
  return (
    <>
      <PageHead
        title="Now"
        answer={answerOf(waiting.length, first)}
        then={
          busy.length === 0
            ? "No rollout is under way."
            : `${busy.length === 1 ? "1 rollout is" : `${busy.length} rollouts are`} under way: ${busy.map(({ id }) => id).join(", ")}.`
        }
        tools={
          <>
            <LiveRefresh at={now.toISOString()} />
            <span className="muted">for {person.name}</span>
          </>
        }
      />
      <SilentSources sources={silent} now={now} />
      <div className="cols nowcols">
        <div className="stack">
          <WaitsList waiting={waiting} changes={changes} />
          <Rollouts changes={changes} notShown={notShown} now={now} />
          <TroubledNodes changes={changes} now={now} />
        </div>
        <div className="stack">
          <RecentEvents events={events} now={now} />
          <WindowsAhead changes={changes} now={now} />
          <OwnershipList changes={changes} offers={offers} />
        </div>
      </div>
    </>
  );
}

function answerOf(
  count: number,
  first: { readonly change: string; readonly does: string; readonly thing: string | null } | undefined,
): string {
  if (first === undefined) return "Nothing waits for you.";
  const what = `${first.change}: ${first.does}${first.thing === null ? "" : ` (${first.thing})`}`;
  return count === 1 ? `1 thing waits for you, ${what}.` : `${count} things wait for you. First, ${what}.`;
}
