import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { type HandoffPage } from "@/lib/core/handoff/handoff-page";

/** What stands until somebody ends it: holds, waivers, what is ours out there, windows. */
export function StandingLists({ page, now }: { page: HandoffPage; now: Date }) {
  const age = (iso: string) => <Instant iso={iso} age={ageText(new Date(iso), now)} />;
  return (
    <Section title="Holds, waivers, obligations, windows">
      <ul className="panel rows">
        {page.holds.map((one) => (
          <li key={`${one.kind} ${one.since}`}>
            <Word word="On hold" />
            <span className="main">
              {one.kind.replaceAll("_", " ")}: {one.because}
            </span>
            <span className="end src">
              {one.owner}, {age(one.since)}
            </span>
          </li>
        ))}
        {page.waivers.map((one) => (
          <li key={`${one.on} ${one.by}`}>
            <Word word="Waived" />
            <span className="main">
              {one.on}: {one.reason}
            </span>
            <span className="end src">
              {one.by}
              {one.until !== null && (
                <>
                  , until <Instant iso={one.until} />
                </>
              )}
            </span>
          </li>
        ))}
        {page.obligations.map((one) => (
          <li key={`${one.what} ${one.on}`}>
            <span className="main">
              <b>{one.what.replaceAll("_", " ")}</b> on {one.on}: <span className="mono">{one.name}</span>
            </span>
            <span className="end src">ours, {age(one.since)}</span>
          </li>
        ))}
        {page.windows.map((one) => (
          <li key={one.startsAt}>
            <span className="main">
              <b>window</b> <Instant iso={one.startsAt} /> to <Instant iso={one.endsAt} />
            </span>
            <span className="end src">{left(one, now)}</span>
          </li>
        ))}
        {page.holds.length === 0 && (
          <li>
            <span className="main soft">No hold.</span>
          </li>
        )}
        {page.waivers.length === 0 && (
          <li>
            <span className="main soft">No waiver.</span>
          </li>
        )}
        {page.obligations.length === 0 && (
          <li>
            <span className="main soft">Nothing of this change is left out there.</span>
          </li>
        )}
        {page.windows.length === 0 && (
          <li>
            <span className="main soft">No window is booked.</span>
          </li>
        )}
      </ul>
    </Section>
  );
}

function left({ startsAt, endsAt }: HandoffPage["windows"][number], now: Date): string {
  if (new Date(startsAt) > now) return `opens ${ageText(new Date(startsAt), now)}`;
  return new Date(endsAt) > now ? `open, ends ${ageText(new Date(endsAt), now)}` : `over ${ageText(new Date(endsAt), now)}`;
}
