/** Progress lines of the start: what, and how long it took. */
export type Progress = { readonly say: (part: string, text: string) => void; readonly seconds: () => string };

export function progress(out: (line: string) => void): Progress {
  const begun = performance.now();
  let last = begun;
  return {
    say: (part, text) => {
      const now = performance.now();
      out(`  ${part.padEnd(10)} ${text} (${((now - last) / 1000).toFixed(1)} s)`);
      last = now;
    },
    seconds: () => ((performance.now() - begun) / 1000).toFixed(1),
  };
}
