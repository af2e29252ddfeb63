import { Word } from "@/components/change/word";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

type Waiting = { readonly change: string; readonly does: string; readonly thing: string | null; readonly next: boolean };
type Props = { waiting: readonly Waiting[]; changes: readonly ChangeView[] };

/** What only this person, or one of few, can move on. */
export function WaitsList({ waiting, changes }: Props) {
  return (
    <Section title="Waits for you" meta={waiting.length === 0 ? undefined : `${waiting.length}, what a change waits for first`}>
      {waiting.length === 0 ? (
        <div className="panel pad empty">
          <p>
            <b>Nothing waits for you.</b>
          </p>
          <p className="soft">Sign-offs, judgements, decisions and ownership offered to you would stand here.</p>
        </div>
      ) : (
        <ul className="panel waits">
          {waiting.map((one) => {
            const view = changes.find(({ id }) => id === one.change);
            return (
              <li key={`${one.change} ${one.does} ${one.thing}`}>
                <span>{view !== undefined && <Word word={view.holds.length > 0 ? "On hold" : shownWord(view.state)} />}</span>
                <div>
                  <b>{upper(one.does)}</b>
                  {one.thing !== null && `: ${one.thing}`}
                  <small>
                    {one.change} {view?.title} {behind(one, view)}
                  </small>
                </div>
                <a className={one.next ? "btn primary" : "btn"} href={`${paths.change(one.change)}#actions`}>
                  Open {one.change}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

function behind(one: Waiting, view: ChangeView | undefined): string {
  const left = view?.tally["Not attempted"] ?? 0;
  return one.next && left > 0 ? `· next for this change, ${left} ${left === 1 ? "node waits" : "nodes wait"} behind it` : "";
}

const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
