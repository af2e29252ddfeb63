import { readdirSync } from "node:fs";
import { join } from "node:path";

const NOT_OURS = new Set(["node_modules", ".git", "generated", "test-results", "playwright-report", "next-env.d.ts"]);
const isOurs = (name: string): boolean =>
  !NOT_OURS.has(name) && !name.startsWith(".next") && !name.startsWith(".clearance") && !name.endsWith(".tsbuildinfo");

/** All files of the project below `root`, as paths with forward slashes, sorted; nothing generated, installed or left by a run. */
export function projectFiles(root: string, below = ""): string[] {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).filter((entry) => isOurs(entry.name));
  return entries
    .flatMap((entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? projectFiles(root, path) : [path];
    })
    .sort();
}

export const isCode = (path: string): boolean => /\.(ts|tsx|mjs|cjs|js|jsx)$/.test(path);
export const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path);
