import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { notProven, readReport, tableText, tabulate } from "./real-report";
import { closingLines } from "./stage";

function reportOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "clearance-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "real.jsonl"), text);
  return join(folder, "real.jsonl");
}

test("a required part that nobody reports, or that was skipped once, is not proven", () => {
  const lines = readReport(
    reportOf('{"part":"slurm","status":"run"}\n{"part":"sshd","status":"run"}\n{"part":"sshd","status":"skipped"}\n'),
  );
  expect(notProven(tabulate(lines, true))).toEqual(["prometheus", "sshd", "chromium"]);
  expect(notProven(tabulate(lines, false))).toEqual([]);
});

test("the table names every part, what was required, run and skipped", () => {
  const text = tableText(
    tabulate(
      [
        { part: "slurm", status: "run" },
        { part: "oidc", status: "missing" },
      ],
      true,
    ),
  );
  expect(text.split("\n")).toEqual([
    "part       | required | run | skipped",
    "slurm      | yes      | 1   | 0",
    "prometheus | yes      | 0   | 0",
    "sshd       | yes      | 0   | 0",
    "chromium   | yes      | 0   | 0",
    "oidc       | yes      | 0   | 1",
  ]);
});

test("a line of another form is a fault, no report is nothing run", () => {
  expect(() => readReport(reportOf('{"part":"slurm","status":"fine"}\n'))).toThrow();
  expect(() => readReport(reportOf("slurm ran\n"))).toThrow();
  expect(readReport("/nowhere/real.jsonl")).toEqual([]);
});

test("what failed and the runners' own closing lines are kept, without colours", () => {
  const said =
    "\u001b[2m Test Files \u001b[22m \u001b[32m1 passed\u001b[39m (1)\n   Tests  3 passed | 1 skipped (4)\n noise\n  2 failed\n    a.spec.ts\n  5 passed (4s)\n";
  const failure = " FAIL  real lib/a.real.test.ts > a machine\nError: no answer\n  at x\n";
  expect(closingLines(failure)).toEqual(["FAIL  real lib/a.real.test.ts > a machine", "Error: no answer"]);
  expect(closingLines("  1) e2e/a.spec.ts:3:1 › a page ──\n  1 failed\n")).toEqual(["1) e2e/a.spec.ts:3:1 › a page ──", "1 failed"]);
  expect(closingLines(said)).toEqual(["Test Files  1 passed (1)", "Tests  3 passed | 1 skipped (4)", "2 failed", "5 passed (4s)"]);
});
