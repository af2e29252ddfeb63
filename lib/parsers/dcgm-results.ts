import { addNumber, addProblem, type Draft } from "./reading-draft";

export type DcgmWarning = { readonly text: string; readonly errorId: number | null };
/** One result of one test. `entity`: "gpu 1", "cpu 0", or "node" where the test is about the whole host. */
export type DcgmResult = {
  readonly test: string;
  readonly deployment: boolean;
  readonly entity: string;
  readonly status: string;
  readonly warnings: readonly DcgmWarning[];
};

/** One name per test over all eras; names that are not here are kept as printed. */
const NAMES: Readonly<Record<string, string>> = {
  pcie: "pcie",
  "gpu memory": "memory",
  memory: "memory",
  "memory bandwidth": "memory_bandwidth",
  diagnostic: "diagnostic",
  "targeted stress": "targeted_stress",
  "targeted power": "targeted_power",
  memtest: "memtest",
  "pulse test": "pulse_test",
};
/** Level 2 has them in every release: entries that did not run are left out, so a missing one is no pass. */
const REQUIRED = ["software", "pcie", "memory"] as const;
const ALLOCATION_ERROR = 56;

export const testName = (printed: string): string => NAMES[printed.trim().toLowerCase()] ?? printed.trim();

/** Statements, required tests and the count of GPUs, from whatever era the results came. `known`: GPUs the tool itself says it saw. */
export function finishResults(draft: Draft, results: readonly DcgmResult[], known: ReadonlySet<string>): void {
  for (const result of results) draft.statements.push(statementOf(result));
  const ran = new Set(results.map((result) => (result.deployment ? "software" : result.test)));
  for (const test of REQUIRED) if (!ran.has(test)) addProblem(draft, "no_data", `required test ${test} missing`);
  const tests = [...new Set(results.filter((result) => !result.deployment).map((result) => result.test))];
  const gpus = new Set([...known, ...results.map((result) => result.entity).filter((entity) => /^gpu \d+$/.test(entity))]);
  for (const test of tests)
    judgeCoverage(
      draft,
      test,
      results.filter((result) => result.test === test && !result.deployment),
      gpus,
    );
  const sorted = [...gpus].sort(byNumber);
  addNumber(draft, "gpus", "run", gpus.size, { text: sorted.map((gpu) => gpu.slice(4)).join(","), unit: "" });
}

function judgeCoverage(draft: Draft, test: string, results: readonly DcgmResult[], gpus: ReadonlySet<string>): void {
  const required = (REQUIRED as readonly string[]).includes(test);
  const skipped = results.filter((result) => /^skip$/i.test(result.status));
  if (skipped.length === results.length) {
    if (required) addProblem(draft, "no_data", `required test ${test} skipped`);
    else draft.notes.push(`${test} skipped`);
    return;
  }
  for (const result of skipped) addProblem(draft, "no_data", `${test} skipped on ${result.entity}`, result.entity);
  const seen = new Set(results.map((result) => result.entity));
  if (seen.has("all")) return;
  for (const gpu of [...gpus].sort(byNumber)) if (!seen.has(gpu)) addProblem(draft, "too_few", `${test}: no result for ${gpu}`, gpu);
}

function statementOf(result: DcgmResult): Draft["statements"][number] {
  const { test, entity, warnings } = result;
  const said = warnings.map(({ text, errorId }) => `${text}${errorId === null ? "" : ` (error ${errorId})`}`).join("; ");
  switch (result.status.trim().toLowerCase()) {
    case "pass":
      if (warnings.length === 0) return { test, entity, says: "pass", because: "passed" };
      return {
        test,
        entity,
        says: "unresolved",
        because: warnings.some(isAllocation) ? "passed with allocation warning" : `passed with warning: ${said}`,
      };
    case "fail":
      return { test, entity, says: "fail", because: `${test} failed on ${entity}${said ? `: ${said}` : ""}` };
    case "skip":
      return { test, entity, says: "skipped", because: `${test} skipped on ${entity}` };
    case "warn":
      return { test, entity, says: "unresolved", because: `${test} warned on ${entity}${said ? `: ${said}` : ""}` };
    default:
      return { test, entity, says: "unresolved", because: `${test} has no known status on ${entity}: "${result.status.slice(0, 40)}"` };
  }
}

const isAllocation = ({ text, errorId }: DcgmWarning): boolean =>
  errorId === ALLOCATION_ERROR || (errorId === null && /allocat/i.test(text));
const byNumber = (a: string, b: string): number => Number(a.slice(4)) - Number(b.slice(4));
