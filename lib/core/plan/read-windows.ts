import { complain, isMissing, readItems, readMap, readText } from "@/lib/core/kernel/document-form";
import type { Field } from "@/lib/core/kernel/document-form";
import { isTimeZone, readLocalTime } from "@/lib/core/kernel/local-time";
import type { Plan } from "./plan";

type Booked = Plan["windows"][number];

/** Bookings in the time of their own zone, as instants. Overlapping ones are refused: nobody could say how long the time is. */
export function readWindows(field: Field): Booked[] {
  const read = readItems(field, 50).map((item) => ({ item, booked: readWindow(item) }));
  const inOrder = read.filter((w) => w.booked.startsAt !== "").sort((a, b) => (a.booked.startsAt < b.booked.startsAt ? -1 : 1));
  inOrder.forEach((w, i) => {
    const before = inOrder[i - 1];
    if (before && w.booked.startsAt < before.booked.endsAt) complain(w.item, `${w.item.path} overlaps ${before.item.path}.`);
  });
  return read.map((w) => w.booked);
}

/** How long mixed versions were agreed; read in the last window's zone unless an offset is written. */
export function readMixedUntil(field: Field, windows: readonly Booked[]): string | null {
  return isMissing(field) ? null : readInstant(field, windows.at(-1)?.timezone ?? null) || null;
}

function readWindow(field: Field): Booked {
  const f = readMap(field, ["start", "end", "timezone"]);
  const timezone = readText(f.timezone, { max: 64 });
  const known = timezone !== "" && isTimeZone(timezone);
  if (timezone !== "" && !known) complain(f.timezone, `${f.timezone.path} must be a time zone such as Europe/Berlin or UTC.`);
  const none = { startsAt: "", endsAt: "", timezone };
  if (!known) return none;
  const [startsAt, endsAt] = [readInstant(f.start, timezone), readInstant(f.end, timezone)];
  if (startsAt === "" || endsAt === "") return none;
  if (endsAt <= startsAt) complain(f.end, `${f.end.path} is not after the start.`);
  return { startsAt, endsAt, timezone };
}

/** ISO text in UTC; empty where it was refused. */
function readInstant(field: Field, timezone: string | null): string {
  const text = readText(field, { max: 40 });
  if (text === "") return "";
  const read = readLocalTime(text, timezone);
  if (read.ok) return read.at.toISOString();
  complain(field, `${field.path} ${read.because.startsWith("must") ? "" : "is refused: "}${read.because}.`);
  return "";
}
