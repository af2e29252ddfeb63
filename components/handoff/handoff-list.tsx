import { SplitBar } from "@/components/change/tally-bar";
import { Word } from "@/components/change/word";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

type Props = { changes: readonly ChangeView[]; /** Open ones that are not read here. */ notShown: number };

/** Open changes in one sentence each, with the way to their handoff. */
export function HandoffList({ changes, notShown }: Props) {
  if (changes.length === 0) return null;
  return (
    <div className="panel">
      {changes.map((view) => (
        <div key={view.id} className="roll">
          <div className="top">
            <Word word={view.holds.length > 0 ? "On hold" : shownWord(view.state)} />
            <span>
              <a className="mono" href={paths.handoff(view.id)}>
                {view.id}
              </a>{" "}
              <b>{view.title}</b> <span className="muted">{view.cluster}</span>
            </span>
            <span className="end">
              owner {view.people.owner.name}
              {view.people.decisionOwner !== null && `, ${view.people.decisionOwner.name} decides`}
            </span>
          </div>
          <SplitBar tally={view.tally} total={view.targets.length} />
          <div>{view.headline.stands}</div>
          <div>{view.headline.next}</div>
        </div>
      ))}
      {notShown > 0 && (
        <p className="note pad">
          {notShown} more are open: see <a href={paths.changes()}>Changes</a>.
        </p>
      )}
    </div>
  );
}
