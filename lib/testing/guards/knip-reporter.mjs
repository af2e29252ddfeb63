// Gives the guard what it needs: how many files knip read, and each finding on one line.
import { writeSync } from "node:fs";

// eslint-disable-next-line no-restricted-syntax -- knip takes a reporter from the default export
export default async function report({ issues, counters, cwd }) {
  const flat = (kind) => Object.values(issues[kind] ?? {}).flatMap((byName) => Object.values(byName));
  const rows = ["exports", "nsExports", "types", "nsTypes", "unlisted", "unresolved", "duplicates"].flatMap((kind) =>
    flat(kind).map(({ filePath, symbol, line }) => ({ kind, file: filePath.replace(`${cwd}/`, ""), symbol, line: line ?? null })),
  );
  const files = [...(issues.files instanceof Set ? issues.files : flat("files").map(({ filePath }) => filePath))];
  const unused = files.map((file) => ({ kind: "files", file: file.replace(`${cwd}/`, ""), symbol: null, line: null }));
  writeSync(1, JSON.stringify({ total: counters.total, rows: [...rows, ...unused] }) + "\n");
}
