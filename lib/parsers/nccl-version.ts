/** 22703 is 2.27.3, 2804 (before 2.9) is 2.8.4. */
export function ncclVersion(written: number): string {
  const [major, minor, patch] =
    written >= 10_000
      ? [Math.floor(written / 10_000), Math.floor((written % 10_000) / 100), written % 100]
      : [Math.floor(written / 1000), Math.floor((written % 1000) / 100), written % 100];
  return `${major}.${minor}.${patch}`;
}
