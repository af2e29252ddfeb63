import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { type ChangeView } from "@/lib/core/change/view/change-view";

const [WIDE, TOP, BOTTOM] = [1000, 20, 64];
const HOUR_MS = 3_600_000;

/** Where the rollout is in its window, how much of it still fits, and when the rest would be through. */
export function WindowStrip({ view, now }: { view: ChangeView; now: Date }) {
  const { pace } = view;
  if (pace === null || view.endedAt !== null) return null;
  const { booked, perBatch, delayMinutes, spans, finish } = pace;
  const clock = clockOf(booked.timezone);
  const [begins, ends] = [Date.parse(booked.startsAt), Date.parse(booked.endsAt)];
  const from = Math.min(begins, now.getTime(), ...spans.map((one) => Date.parse(one.from)));
  const until = Math.max(ends, finish === null ? ends : Date.parse(finish.latest)) + (ends - from) / 20;
  const x = (at: number): number => 8 + ((at - from) / Math.max(1, until - from)) * (WIDE - 16);
  const goes = Math.max(begins, now.getTime());
  const fitsUntil = finish === null ? goes : Math.min(ends, Date.parse(finish.latest));
  const over = finish !== null && Date.parse(finish.latest) > ends ? finish : null;
  const overFrom = over === null ? 0 : Math.max(ends, Date.parse(over.earliest));
  return (
    <Section
      title="Progress against the window"
      end={`estimate: ${perBatch.minMinutes} to ${perBatch.maxMinutes} min a batch and ${round(delayMinutes)} min between${perBatch.measuredMinutes === null ? "" : `, ${perBatch.measuredMinutes} min measured`}`}
    >
      <div className="panel pad">
        {view.startedAt !== null && (
          <p className="soft">
            begun {ageText(new Date(view.startedAt), now)} · {pace.left.batches} of {view.batches.length} batches left
          </p>
        )}
        <div className="scrollx long" tabIndex={0} role="region" aria-label="Window and batches over time">
          <svg className="fig" viewBox={`0 0 ${WIDE} 92`} role="img" aria-label={pace.sentence}>
            <rect className="win" x={x(begins)} y={TOP} width={x(ends) - x(begins)} height={BOTTOM - TOP} />
            {hours(from, until).map((at) => (
              <g key={at}>
                <path className="hair" d={`M${x(at)} ${TOP}V68`} />
                <text x={x(at)} y="82" textAnchor="middle">
                  {clock(at)}
                </text>
              </g>
            ))}
            <text className="m" x={x(begins)} y="12">
              window, {booked.timezone}
            </text>
            {spans.map((one) => (
              <rect
                key={one.batch}
                className={one.to === null ? "bar-run" : "bar-ok"}
                x={x(Date.parse(one.from))}
                y="32"
                width={Math.max(2, x(one.to === null ? now.getTime() : Date.parse(one.to)) - x(Date.parse(one.from)))}
                height="8"
              >
                <title>{`batch ${one.batch}`}</title>
              </rect>
            ))}
            {fitsUntil > goes && (
              <>
                <rect className="bar-left" x={x(goes)} y="32" width={x(fitsUntil) - x(goes)} height="8" />
                <text className="m" x={x(goes) + 6} y="56">
                  {fitsText(pace)}
                </text>
              </>
            )}
            {over !== null && (
              <>
                <rect
                  className="bar-over"
                  x={x(overFrom)}
                  y="32"
                  width={Math.max(2, x(Date.parse(over.latest)) - x(overFrom))}
                  height="8"
                />
                <text className="s" x={Math.min(x(overFrom), WIDE - 150)} y="56">
                  the rest until {clock(Date.parse(over.earliest))} to {clock(Date.parse(over.latest))}
                </text>
              </>
            )}
            <path className="limit" d={`M${x(ends)} 16V68`} />
            <text
              className="s"
              x={x(ends) > WIDE - 160 ? x(ends) - 5 : x(ends) + 5}
              y="12"
              textAnchor={x(ends) > WIDE - 160 ? "end" : "start"}
            >
              window ends {clock(ends)}
            </text>
            <path className="nowl" d={`M${x(now.getTime())} 16V68`}>
              <title>{`now ${clock(now.getTime())}`}</title>
            </path>
          </svg>
        </div>
        <p className="note">{pace.sentence}</p>
      </div>
    </Section>
  );
}

function fitsText({ fits, left }: NonNullable<ChangeView["pace"]>): string {
  if (fits.least >= left.batches) return `all ${left.batches} batches fit`;
  return fits.least === fits.most ? `${fits.most} more batches fit` : `${fits.least} to ${fits.most} more batches fit`;
}

/** Full hours in between, at most a dozen of them. */
function hours(from: number, until: number): readonly number[] {
  const step = Math.max(1, Math.ceil((until - from) / HOUR_MS / 12)) * HOUR_MS;
  const first = Math.ceil(from / HOUR_MS) * HOUR_MS;
  return Array.from({ length: Math.max(0, Math.floor((until - first) / step) + 1) }, (_, i) => first + i * step);
}

/** "22:00" in the zone of the window; with the day where a strip is longer than one. */
function clockOf(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return (at) => format.format(at);
}

const round = (minutes: number): string => (minutes >= 1 ? String(Math.round(minutes)) : minutes.toFixed(1));
