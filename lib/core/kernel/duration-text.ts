const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const ORDER = ["d", "h", "m", "s", "ms"] as const;
const MAX_MS = 366 * UNIT_MS.d;

/** "5m", "2h30m", "120s", "14d" as milliseconds; units from large to small, each once. null: not a duration, or longer than a year. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:ms|[dhms]))+$/.test(text)) return null;
  let total = 0;
  let last = -1;
  for (const [, digits = "", unit = ""] of text.matchAll(/(\d+)(ms|[dhms])/g)) {
    const rank = ORDER.findIndex((u) => u === unit);
    if (rank <= last) return null;
    last = rank;
    total += Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return total <= MAX_MS ? total : null;
}

/** The same value in the same grammar: 9000000 is "2h30m", 0 is "0s". */
export function durationText(ms: number): string {
  let rest = Math.max(0, Math.round(ms));
  const parts: string[] = [];
  for (const unit of ORDER) {
    const count = Math.floor(rest / UNIT_MS[unit]);
    rest -= count * UNIT_MS[unit];
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.length === 0 ? "0s" : parts.join("");
}

/** Minutes as people say them on a plan: 315 is "5h15", 20 is "20 min". */
export function minutesText(minutes: number): string {
  const whole = Math.round(minutes);
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)}h${String(whole % 60).padStart(2, "0")}`;
}
