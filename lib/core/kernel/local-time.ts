const MINUTE = 60_000;
const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:\d{2})?$/;

type LocalInstant = { readonly ok: true; readonly at: Date } | { readonly ok: false; readonly because: string };

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false; // Intl has no other way to say that it does not know a name.
  }
}

/**
 * The instant a wall clock in `timezone` shows as "2026-12-08T22:00". A time that the clock skips is refused; one that it shows twice is refused
 * and both instants are named. A written offset ("...T02:30+02:00" or Z) decides, and must be one that the zone has then. Without a zone an offset must be there.
 */
export function readLocalTime(text: string, timezone: string | null): LocalInstant {
  const match = LOCAL.exec(text);
  const wall = match ? wallOf(match) : null;
  if (!match || wall === null) return refuse(`must be a date and time such as 2026-12-08T22:00, not ${JSON.stringify(text.slice(0, 40))}`);
  const offset = match[7];
  if (offset !== undefined) return withOffset(text, wall, offset, timezone);
  if (timezone === null) return refuse(`${text} needs an offset such as Z or +01:00, because no time zone is named`);
  const found = instantsOf(wall, timezone);
  if (found.length === 0) return refuse(`${text} does not exist in ${timezone}: the clock is put forward over it`);
  if (found.length > 1) {
    const both = found.map((ms) => new Date(ms).toISOString()).join(" or ");
    return refuse(`${text} happens twice in ${timezone}, at ${both}: write the offset`);
  }
  return { ok: true, at: new Date(found[0] ?? 0) };
}

const refuse = (because: string): LocalInstant => ({ ok: false, because });

/** The wall clock's reading as if it were UTC; null where there is no such date. */
function wallOf(match: RegExpExecArray): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(ms);
  const same = back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return same && year >= 2000 ? ms : null;
}

function withOffset(text: string, wall: number, offset: string, timezone: string | null): LocalInstant {
  const [hours = 0, minutes = 0] = offset === "Z" ? [0, 0] : offset.slice(1).split(":").map(Number);
  const sign = offset.startsWith("-") ? -1 : 1;
  if (hours > 14 || minutes > 59) return refuse(`${text} has an offset that no place has`);
  const ms = wall - sign * (hours * 60 + minutes) * MINUTE;
  if (offset !== "Z" && timezone !== null && wallIn(timezone, ms) !== wall)
    return refuse(`${timezone} does not have the offset ${offset} at ${text}`);
  return { ok: true, at: new Date(ms) };
}

/** Every instant at which the zone's clock shows `wall`; offsets lie within 15 hours and are whole minutes. */
function instantsOf(wall: number, timezone: string): number[] {
  const offsets = new Set([-26, -13, 0, 13, 26].map((hours) => offsetAt(timezone, wall + hours * 60 * MINUTE)));
  return [...offsets]
    .map((o) => wall - o)
    .filter((ms) => wallIn(timezone, ms) === wall)
    .sort((a, b) => a - b);
}

const offsetAt = (timezone: string, ms: number): number => wallIn(timezone, ms) - ms;

function wallIn(timezone: string, ms: number): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = new Map(format.formatToParts(new Date(ms)).map((p) => [p.type, Number(p.value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}
