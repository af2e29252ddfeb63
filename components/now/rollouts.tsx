import { SplitBar } from "@/components/change/tally-bar";
import { Word } from "@/components/change/word";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

type Props = { changes: readonly ChangeView[]; /** Open ones that are not read here. */ notShown: number; now: Date };

/** Every open change with its nodes as a bar, and what is next. */
export function Rollouts({ changes, notShown, now }: Props) {
  return (
    <Section
      title="Rollouts"
      meta={`${changes.length + notShown} open`}
      end={<a href={paths.changes()}>{notShown === 0 ? "All changes" : `All changes, ${notShown} more open`}</a>}
    >
      {changes.length === 0 ? (
        <div className="panel pad empty">
          <p>
            <b>No change is open.</b>
          </p>
          <p>
            <a className="btn" href={paths.newChange()}>
              New change
            </a>
          </p>
        </div>
      ) : (
        <div className="panel">
          {changes.map((view) => (
            <Rollout key={view.id} view={view} now={now} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Rollout({ view, now }: { view: ChangeView; now: Date }) {
  const done = view.batches.filter(({ state }) => ["succeeded", "decided"].includes(state)).length;
  return (
    <div className="roll">
      <div className="top">
        <Word word={view.holds.length > 0 ? "On hold" : shownWord(view.state)} />
        <span>
          <a className="mono" href={paths.change(view.id)}>
            {view.id}
          </a>{" "}
          <b>{view.title}</b> <span className="muted">{view.cluster}</span>
        </span>
        <span className="end">
          {view.batches.length === 0 ? "" : `${done} of ${view.batches.length} batches through · `}owner {view.people.owner.name}
        </span>
      </div>
      <SplitBar tally={view.tally} total={view.targets.length} />
      <div className="sub">
        {Object.entries(view.tally)
          .filter(([, count]) => count > 0)
          .map(([word, count]) => (
            <span key={word}>
              {count} {word.toLowerCase()}
            </span>
          ))}
        {view.startedAt !== null && <span className="muted">started {ageText(new Date(view.startedAt), now)}</span>}
      </div>
      <div>
        {view.headline.next} <a href={paths.handoff(view.id)}>Handoff</a>
      </div>
    </div>
  );
}
