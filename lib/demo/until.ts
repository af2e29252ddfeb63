/** Waits until `look` gives something, asking again every `everyMs`; past the deadline it fails with what was seen last. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null>,
  limits: { readonly timeoutMs: number; readonly everyMs?: number; readonly seen?: () => string },
): Promise<T> {
  const end = performance.now() + limits.timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end)
      throw new Error(
        `${what}: not within ${limits.timeoutMs / 1000} s${limits.seen === undefined ? "" : `; last seen: ${limits.seen()}`}`,
      );
    await new Promise((resolve) => setTimeout(resolve, limits.everyMs ?? 200));
  }
}
