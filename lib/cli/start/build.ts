import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { CannotStart } from "./cannot-start";
import { lastWords } from "./child-process";

const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "prisma/generated",
  "proxy.ts",
  "next.config.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
/** What no page is made of. */
const NOT_PAGES = /(^lib\/(simulator|worker|testing|cli)\/|\.test\.tsx?$|\/samples\/)/;
const MARK = ".next/clearance-sources";

/** One hash over everything that the pages are made of. */
export function sourceHash(root: string): string {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap((top) => filesBelow(root, top)))
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

function filesBelow(root: string, path: string): string[] {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  const entries = readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .filter((file) => !NOT_PAGES.test(file));
}

/** True when `.next` holds a finished build of these sources. */
export function isBuilt(root: string, hash: string): boolean {
  const mark = join(root, MARK);
  return existsSync(mark) && existsSync(join(root, ".next/BUILD_ID")) && readFileSync(mark, "utf8") === hash;
}

type Build = {
  readonly root: string;
  readonly hash: string;
  readonly logFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
};

/** `next build`. Throws `CannotStart` with the last line it said. */
export async function build({ root, hash, logFile, env, signal }: Build): Promise<void> {
  const log = createWriteStream(logFile, { flags: "w" });
  const child = spawn(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: root,
    env,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const code = await new Promise<number | null>((done) => {
    child.once("error", () => done(null));
    child.once("close", done);
  });
  log.end();
  if (code !== 0) throw new CannotStart(`The pages could not be built: ${faultOf(logFile)} (log: ${logFile})`);
  writeFileSync(join(root, MARK), hash);
}

/** The builder ends with a link; what went wrong stands further up. */
function faultOf(logFile: string): string {
  const said = readFileSync(logFile, "utf8").split("\n");
  return said.filter((line) => line.startsWith("Error:")).pop() ?? lastWords(logFile);
}
