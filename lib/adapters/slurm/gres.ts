/** "gpu:h100:8(S:0-1),nvme:2" is 8 GPUs, "(null)" none; no text at all is unknown. */
export function gpusIn(gres: string | null | undefined): number | null {
  if (gres === null || gres === undefined) return null;
  const counts = gres
    .replace(/\([^)]*\)/g, "")
    .split(",")
    .filter((item) => /^gpu(:|$)/.test(item.trim()))
    .map((item) => Number(item.trim().split(":").at(-1)));
  return counts.some((count) => !Number.isInteger(count)) ? null : counts.reduce((sum, count) => sum + count, 0);
}
