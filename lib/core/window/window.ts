/** A stretch of time, half-open: its end is no longer inside, so two that touch are one after the other. */
export type Span = { readonly startsAt: Date; readonly endsAt: Date };

const isOpen = (span: Span, now: Date): boolean => span.startsAt <= now && now < span.endsAt;

/** The span that is open now; of several the one that stays open longest. */
export const openNow = <S extends Span>(spans: readonly S[], now: Date): S | null =>
  spans.filter((span) => isOpen(span, now)).reduce<S | null>((a, b) => (a === null || b.endsAt > a.endsAt ? b : a), null);

/** When the next one opens; null where none is booked. */
export const nextOpening = (spans: readonly Span[], now: Date): Date | null =>
  spans
    .filter((span) => span.startsAt > now)
    .reduce<Date | null>((first, span) => (first === null || span.startsAt < first ? span.startsAt : first), null);

/** Milliseconds until it closes; 0 outside of it. */
const leftMs = (span: Span, now: Date): number => (isOpen(span, now) ? span.endsAt.getTime() - now.getTime() : 0);

type WindowAnswer =
  | { readonly is: "open"; readonly leftMs: number }
  | { readonly is: "closed"; readonly opensAt: Date | null }
  | { readonly is: "too_short"; readonly needMs: number; readonly leftMs: number };

/** Whether something that takes at most `needMs` may begin: a window is open and it ends before the window does, not with it (R11.2). */
export function windowFits(spans: readonly Span[], needMs: number, now: Date): WindowAnswer {
  const open = openNow(spans, now);
  if (open === null) return { is: "closed", opensAt: nextOpening(spans, now) };
  const left = leftMs(open, now);
  return needMs < left ? { is: "open", leftMs: left } : { is: "too_short", needMs, leftMs: left };
}
