import { spawn } from "node:child_process";

/** One runner with its argument list, the project's own node_modules taken for granted. */
type Stage = { readonly name: string; readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv };
/** `closing`: the lines in which the runner itself says what it counted. */
export type StageEnd = { readonly name: string; readonly good: boolean; readonly seconds: number; readonly closing: readonly string[] };

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
/** vitest's totals, playwright's totals. */
const TOTALS = /^\s*(Test Files|Tests|Errors)\s|^\s*\d+ (passed|failed|flaky|skipped|did not run)\b/;
/** A guard or a vitest test that failed, with vitest's reason on the line below; a playwright test that failed. */
const FAILED = /^\s*FAIL\s|^\s*\d+\) \S+\.spec\.ts/;
const REASON = /^\s*\w*Error: /;
const MOST_FAILURES = 20;
const KEPT_CHARS = 400_000;

/** Runs a stage, showing everything it prints. */
export async function runStage({ name, argv, env }: Stage): Promise<StageEnd> {
  console.log(`\n=== ${name}`);
  const begun = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  // vitest counts on one stream and names what failed on the other.
  const show = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
    to.write(chunk);
    said = (said + chunk.toString("utf8")).slice(-KEPT_CHARS);
  };
  child.stdout.on("data", show(process.stdout));
  child.stderr.on("data", show(process.stderr));
  const code = await new Promise<number | null>((done) => {
    child.once("error", () => done(null));
    child.once("close", done);
  });
  return { name, good: code === 0, seconds: Math.round((performance.now() - begun) / 1000), closing: closingLines(said) };
}

/** The lines of a runner's output that name what failed or count something, without colours. */
export function closingLines(said: string): string[] {
  const lines = said.replace(ESCAPES, "").split("\n");
  const failed = lines.filter((line, i) => FAILED.test(line) || (REASON.test(line) && FAILED.test(lines[i - 1] ?? "")));
  const totals = lines.filter((line) => TOTALS.test(line));
  return [...new Set([...failed.slice(0, MOST_FAILURES), ...totals.slice(-12)].map((line) => line.trim().slice(0, 300)))];
}
