import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/client/paths";

type Event = {
  readonly chain: string;
  readonly seq: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly because: string;
};

/** What was written in the last twelve hours, newest first. */
export function RecentEvents({ events }: { events: readonly Event[]; now: Date }) {
  return (
    <Section title="Last 12 hours" meta={events.length === 0 ? undefined : "newest first"}>
      {events.length === 0 ? (
        <p className="panel pad muted">Nothing was recorded in the last 12 hours.</p>
      ) : (
        <ol className="panel pad log">
          {events.map((event) => (
            <li key={`${event.chain} ${event.seq}`}>
              <span className="t">
                <Instant iso={event.at.toISOString()} />
              </span>
              <span className="e">
                {event.chain.startsWith("CH-") ? <a href={paths.audit(event.chain)}>{event.chain}</a> : <b>{event.chain}</b>}{" "}
                {event.action.replace(".", " ").replaceAll("_", " ")}
                <span className="muted">
                  , {event.actor}
                  {event.because !== "" && `: ${clip(event.because)}`}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

const clip = (text: string): string => (text.length > 110 ? `${text.slice(0, 110)}…` : text);
