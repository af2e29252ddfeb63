/**
 * "2026-11-18T01:30:04" as printed by scontrol, in the zone the program ran in. null for "None", "Unknown", "N/A", for a time without a known zone,
 * and for a time that the zone's clock shows twice or never: an order in time must not rest on a guess.
 */
export function instantOf(text: string, timeZone: string | null): Date | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (!parts || timeZone === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [number, number, number, number, number, number];
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  if (timeZone === "UTC") return new Date(asUtc);
  const candidates = new Set([-86_400_000, 86_400_000].map((shift) => asUtc - offsetMs(asUtc + shift, timeZone)));
  const fitting = [...candidates].filter((at) => at + offsetMs(at, timeZone) === asUtc);
  return fitting.length === 1 && fitting[0] !== undefined ? new Date(fitting[0]) : null;
}

/** How far the zone's clock is ahead of UTC at that instant. */
function offsetMs(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(
    part["year"] ?? 0,
    (part["month"] ?? 1) - 1,
    part["day"] ?? 1,
    part["hour"] ?? 0,
    part["minute"] ?? 0,
    part["second"] ?? 0,
  );
  return shown - Math.floor(at / 1000) * 1000;
}
