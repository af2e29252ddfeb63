/** Three decimals, as the tools print; never the noise of binary fractions. */
export const figureText = (value: number): string => String(Math.round(value * 1_000) / 1_000);

/** A message size: 536870912 is "512 MiB"; 0, where there is none, is nothing. */
export function sizeText(bytes: number): string {
  if (bytes === 0) return "";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Math.round((bytes / 1024 ** power) * 100) / 100} ${units[power]}`;
}
