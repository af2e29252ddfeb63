/** "40 s ago", "12 min ago", "3 h ago", "5 d ago"; a moment that is still to come says so. */
export function ageText(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  const text = spanText(Math.abs(ms));
  return ms < -1_000 ? `in ${text}` : `${text} ago`;
}

/** The largest whole unit, or two below a day: "40 s", "12 min", "3 h 05 min", "5 d". */
export function spanText(ms: number): string {
  const s = Math.round(ms / 1_000);
  if (s < 120) return `${s} s`;
  const min = Math.round(s / 60);
  if (min < 60) return `${min} min`;
  if (min < 1_440) return `${Math.floor(min / 60)} h ${String(min % 60).padStart(2, "0")} min`;
  return `${Math.floor(min / 1_440)} d`;
}

/** "2026-12-08 22:00:03 UTC". */
export const utcText = (at: Date): string => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
