import { type ReactNode } from "react";

import { Instant } from "@/components/ui/instant";
import { PageHead } from "@/components/ui/page-head";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { afterState, shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = { view: ChangeView; now: Date; live: ReactNode };

/** Where the change stands and what is next, then the facts a person asks for first. */
export function ChangeHead({ view, now, live }: Props) {
  const state = shownWord(view.state);
  const window = view.windows.find((one) => new Date(one.endsAt) > now) ?? view.windows.at(-1);
  // The state stands beside the sentence as a word with its icon; it is not said twice.
  const stands = afterState(view.headline.stands, state);
  return (
    <PageHead
      before={
        <>
          <a href={paths.changes()}>Changes</a> <span className="muted">/</span> <span className="mono">{view.id}</span>
        </>
      }
      title={view.title}
      answer={
        <>
          <Word word={state} /> {stands}
        </>
      }
      then={view.headline.next}
      tools={
        <>
          {live}
          <a className="btn small" href={paths.handoff(view.id)}>
            Handoff
          </a>
          <a className="btn small" href={paths.audit(view.id)}>
            Audit
          </a>
        </>
      }
    >
      <dl className="factbar">
        {view.holds.length > 0 && (
          <div>
            <dt>Hold</dt>
            <dd>
              <Word word="On hold" /> <span className="src">by {view.holds[0]?.owner.name}</span>
            </dd>
          </div>
        )}
        <div>
          <dt>Operator and owner</dt>
          <dd>
            {view.people.operator.id === view.people.owner.id
              ? view.people.owner.name
              : `${view.people.operator.name}, ${view.people.owner.name}`}
          </dd>
        </div>
        <div>
          <dt>Decides whether to continue</dt>
          <dd>{view.people.decisionOwner?.name ?? "nobody named"}</dd>
        </div>
        <div>
          <dt>Window</dt>
          <dd>
            {window === undefined ? (
              "none booked"
            ) : (
              <>
                <Instant iso={window.startsAt} /> to <Instant iso={window.endsAt} />{" "}
                <span className="muted">{ageText(new Date(window.endsAt), now)}</span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Out of service</dt>
          <dd>
            {view.capacity.ours.nodes} <span className="u">{view.capacity.ours.nodes === 1 ? "node" : "nodes"},</span>{" "}
            {view.capacity.ours.gpus} <span className="u">of at most</span> {view.capacity.limits.ownGpus} <span className="u">GPUs</span>
          </dd>
        </div>
      </dl>
    </PageHead>
  );
}
