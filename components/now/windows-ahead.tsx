import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { type ChangeView } from "@/lib/core/change/view/change-view";

const SHOWN = 6;

/** Windows of open changes that have not ended, the nearest first. */
export function WindowsAhead({ changes, now }: { changes: readonly ChangeView[]; now: Date }) {
  const ahead = changes
    .flatMap((view) => view.windows.map((window) => ({ ...window, view })))
    .filter(({ endsAt }) => new Date(endsAt) > now)
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt));
  return (
    <Section title="Next windows" meta={ahead.length > SHOWN ? `${SHOWN} of ${ahead.length}` : undefined}>
      {ahead.length === 0 ? (
        <p className="panel pad muted">No window is booked.</p>
      ) : (
        <ul className="panel ahead">
          {ahead.slice(0, SHOWN).map(({ id, startsAt, endsAt, timezone, view }) => (
            <li key={id}>
              <span>{new Date(startsAt) <= now ? "Now" : <Instant iso={startsAt} />}</span>
              <div>
                <a href={paths.change(view.id)}>{view.id}</a> {view.cluster}
                <small>
                  until <Instant iso={endsAt} /> ({ageText(new Date(endsAt), now)}), booked in {timezone}
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

type Offer = { readonly change: string; readonly to: string; readonly until: Date };

/** Who owns each open change, and to whom that is offered. */
export function OwnershipList({ changes, offers }: { changes: readonly ChangeView[]; offers: readonly Offer[] }) {
  if (changes.length === 0) return null;
  return (
    <Section title="Ownership">
      <ul className="panel ahead">
        {changes.map((view) => {
          const offer = offers.find(({ change }) => change === view.id);
          return (
            <li key={view.id}>
              <a href={paths.handoff(view.id)}>{view.id}</a>
              <div>
                {view.people.owner.name} owns it.
                {offer !== undefined && (
                  <>
                    {" "}
                    Offered to {offer.to} until <Instant iso={offer.until.toISOString()} />, not yet accepted.
                  </>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
