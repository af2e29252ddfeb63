/**
 * From the end of one maintenance to the start of the next (R11.3). null: far enough apart, or nothing before;
 * else the first instant at which it may start. Who is exempt is decided by the caller.
 */
export function spacing(lastEndedAt: Date | null, start: Date, spacingMs: number): { readonly until: Date } | null {
  if (lastEndedAt === null) return null;
  const until = new Date(lastEndedAt.getTime() + spacingMs);
  return start < until ? { until } : null;
}
