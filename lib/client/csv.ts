/** A table as CSV (RFC 4180). A cell that a spreadsheet would take for a formula is kept as text by a leading apostrophe. */
export const csvOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(raw: string): string {
  const safe = /^[=+\-@\t\r]/.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
