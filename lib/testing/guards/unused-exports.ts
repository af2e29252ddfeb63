import { execFile } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

import { z } from "zod";

import { type Guard } from "./guard";

const Report = z.strictObject({
  total: z.number(),
  rows: z.array(z.strictObject({ kind: z.string(), file: z.string(), symbol: z.string().nullable(), line: z.number().nullable() })),
});
const SAYS: Readonly<Record<string, string>> = {
  files: "is used by nothing",
  unlisted: "is imported but not a dependency",
  unresolved: "cannot be found",
  duplicates: "is exported twice",
};

/** Every file is reached and every export is imported by somebody. */
export const unusedExportsGuard: Guard = {
  name: "unused exports",
  unit: "files",
  look: async (root) => {
    const knip = join(createRequire(import.meta.url).resolve("knip"), "../../bin/knip.js");
    const config = join(root, "knip.json");
    if (!existsSync(config)) copyFileSync(join(import.meta.dirname, "../../../knip.json"), config);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [knip, "--no-progress", "--no-exit-code", "--reporter", join(import.meta.dirname, "knip-reporter.mjs")],
      { cwd: root, maxBuffer: 16 * 1024 * 1024 },
    );
    const { total, rows } = Report.parse(JSON.parse(stdout.trim().split("\n").pop() ?? "null"));
    const faults = rows.map(({ kind, file, symbol, line }) => {
      const place = line === null ? file : `${file}:${line}`;
      return `${place}: ${symbol === null ? "" : `"${symbol}" `}${SAYS[kind] ?? "is exported but imported by nobody"}`;
    });
    return { looked: total, faults };
  },
};
