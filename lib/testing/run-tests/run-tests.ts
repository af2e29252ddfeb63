import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { notProven, readReport, tableText, tabulate } from "./real-report";
import { runStage, type StageEnd } from "./stage";
import { withClearance } from "./with-clearance";

const VITEST = ["node_modules/vitest/vitest.mjs", "run"];

/** All of it. Resolves to the exit code: 0 only when every stage was good and every required real part was used. */
export async function runTests(outer: NodeJS.ProcessEnv): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "clearance-test-"));
  const report = join(folder, "real.jsonl");
  const required = outer.CLEARANCE_REQUIRE_REAL === "1";
  const env = { ...outer, CLEARANCE_REAL_REPORT: report, NEXT_TELEMETRY_DISABLED: "1" };
  try {
    const ends: StageEnd[] = [];
    ends.push(await runStage({ name: "guards", argv: ["lib/testing/run-guards.mjs"], env }));
    ends.push(await runStage({ name: "unit tests", argv: [...VITEST, "--project", "core", "--project", "node"], env }));
    ends.push(
      await runStage({ name: "simulator and real programs", argv: [...VITEST, "--project", "simulator", "--project", "real"], env }),
    );
    ends.push(await browserStage({ folder, report, required, env }));
    // After the browser, whose start has built the pages.
    ends.push(await runStage({ name: "whole paths through the product", argv: [...VITEST, "--project", "paths"], env }));
    return closeWith(ends, report, required);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Browser = { readonly folder: string; readonly report: string; readonly required: boolean; readonly env: NodeJS.ProcessEnv };

/** The console as a person sees it, over one real `npm start` with data of its own. */
async function browserStage({ folder, report, required, env }: Browser): Promise<StageEnd> {
  const name = "console in a browser";
  const chromium = env.CLEARANCE_CHROMIUM ?? "/usr/bin/chromium";
  const tell = (status: "run" | "skipped" | "missing"): void => appendFileSync(report, `${JSON.stringify({ part: "chromium", status })}\n`);
  if (!existsSync(chromium)) {
    tell(required ? "missing" : "skipped");
    return { name, good: !required, seconds: 0, closing: [`no browser at ${chromium}: not run`] };
  }
  if (!readdirSync("e2e").some((file) => file.endsWith(".spec.ts"))) return { name, good: false, seconds: 0, closing: ["no specs in e2e"] };
  tell("run");
  const argv = ["node_modules/@playwright/test/cli.js", "test"];
  const run = await withClearance(folder, env, (address, dataDir) =>
    runStage({ name, argv, env: { ...env, CLEARANCE_E2E_URL: address, CLEARANCE_E2E_DATA: dataDir } }),
  );
  return run.ok ? run.value : { name, good: false, seconds: 0, closing: [run.error] };
}

function closeWith(ends: readonly StageEnd[], report: string, required: boolean): number {
  const rows = tabulate(readReport(report), required);
  const unproven = notProven(rows);
  console.log(`\n=== what really ran\n${tableText(rows)}\n`);
  for (const { name, good, seconds, closing } of ends) {
    console.log(`${good ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
    for (const line of closing) console.log(`       ${line}`);
  }
  console.log("     not part of this run, npm run test:long: a cluster of 128 nodes");
  if (unproven.length > 0) console.log(`FAIL required but not (always) used: ${unproven.join(", ")}`);
  return ends.every(({ good }) => good) && unproven.length === 0 ? 0 : 1;
}
