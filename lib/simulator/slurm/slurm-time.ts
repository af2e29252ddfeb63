/** Times as Slurm's text programs print and read them; the simulated site's clocks are set to UTC. */

export const dateText = (seconds: number | null): string =>
  seconds === null || seconds === 0 ? "Unknown" : new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19);

/** `30-00:00:00`, `00:10:00`; null is UNLIMITED. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return "UNLIMITED";
  const pad = (n: number): string => String(n).padStart(2, "0");
  const total = Math.floor(seconds);
  const clock = `${pad(Math.floor((total % 86_400) / 3600))}:${pad(Math.floor((total % 3600) / 60))}:${pad(total % 60)}`;
  return total >= 86_400 ? `${Math.floor(total / 86_400)}-${clock}` : clock;
}

/** minutes, minutes:seconds, h:m:s, d-h, d-h:m, d-h:m:s; "infinite" or "UNLIMITED" is null; undefined where it is none of these. */
export function readDuration(text: string): number | null | undefined {
  if (/^(infinite|unlimited)$/i.test(text)) return null;
  const match = /^(?:(\d{1,6})-)?(\d{1,8})(?::(\d{1,2}))?(?::(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, days, a = "0", b, c] = match;
  if (days !== undefined) return Number(days) * 86_400 + Number(a) * 3600 + Number(b ?? 0) * 60 + Number(c ?? 0);
  if (c !== undefined) return Number(a) * 3600 + Number(b) * 60 + Number(c);
  return Number(a) * 60 + Number(b ?? 0);
}

/** `now`, `now+10minutes`, `2026-12-01T10:00:00`. */
export function readInstant(text: string, now: number): number | undefined {
  const relative = /^now(?:\+(\d{1,8})(seconds?|minutes?|hours?|days?|weeks?)?)?$/.exec(text);
  if (relative !== null) {
    const unit = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[(relative[2] ?? "s")[0] ?? "s"] ?? 1;
    return now + Number(relative[1] ?? 0) * unit;
  }
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  const millis = Date.parse(`${text}Z`);
  return Number.isNaN(millis) ? undefined : millis / 1000;
}
