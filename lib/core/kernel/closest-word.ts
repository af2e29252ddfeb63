const FAR = 3;

/** The known word a person probably meant, or null: same letters in another case, or at most two slips away. */
export function closestWord(word: string, known: readonly string[]): string | null {
  if (word.length > 64) return null;
  const wanted = word.toLowerCase();
  let best: { readonly word: string; readonly slips: number } | null = null;
  for (const candidate of known) {
    const slips = slipsBetween(wanted, candidate.toLowerCase());
    if (slips < Math.min(FAR, candidate.length) && (best === null || slips < best.slips)) best = { word: candidate, slips };
  }
  return best?.word ?? null;
}

/** Edits that turn one word into the other. */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) >= FAR) return FAR;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? FAR;
}
