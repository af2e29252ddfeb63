import { existsSync, readFileSync } from "node:fs";

import { z } from "zod";

/** Parts of the world that tests use for real. A part nobody reports was not used. */
const REAL_PARTS = ["slurm", "prometheus", "sshd", "chromium"] as const;
const Line = z.object({ part: z.string().min(1), status: z.enum(["run", "skipped", "missing"]) });
type RealLine = z.infer<typeof Line>;
type RealRow = { readonly part: string; readonly required: boolean; readonly run: number; readonly skipped: number };

/** What the suites wrote, one JSON object a line; a line of another form is a fault, not nothing. */
export function readReport(file: string): RealLine[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line.trim() !== "").map((line) => Line.parse(JSON.parse(line)));
}

export function tabulate(lines: readonly RealLine[], required: boolean): RealRow[] {
  const parts = [...new Set<string>([...REAL_PARTS, ...lines.map(({ part }) => part)])];
  const count = (part: string, ...of: RealLine["status"][]): number =>
    lines.filter((line) => line.part === part && of.includes(line.status)).length;
  return parts.map((part) => ({ part, required, run: count(part, "run"), skipped: count(part, "skipped", "missing") }));
}

/** Required parts that did not run, or did not always run. */
export const notProven = (rows: readonly RealRow[]): string[] =>
  rows.filter(({ required, run, skipped }) => required && (run === 0 || skipped > 0)).map(({ part }) => part);

export function tableText(rows: readonly RealRow[]): string {
  const head = ["part", "required", "run", "skipped"];
  const cells = rows.map(({ part, required, run, skipped }) => [part, required ? "yes" : "no", String(run), String(skipped)]);
  const widths = head.map((_, i) => Math.max(...[head, ...cells].map((row) => (row[i] ?? "").length)));
  return [head, ...cells]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join(" | ")
        .trimEnd(),
    )
    .join("\n");
}
