import { join } from "node:path";

import { ESLint } from "eslint";

import { type Guard, type Seen } from "./guard";
import { isCode, isTest, projectFiles } from "./project-files";

const isCore = (path: string): boolean => path.startsWith("lib/core/") && !isTest(path);

/** The core alone: no clock, no randomness, no waiting, no surroundings. */
export const purityGuard: Guard = { name: "core is pure", unit: "files", look: (root) => lint(root, isCore) };

/** Everything else: no any, no swallowed errors, no floating promises, no skipped tests. */
export const lintGuard: Guard = { name: "lint", unit: "files", look: (root) => lint(root, (path) => !isCore(path)) };

async function lint(root: string, wanted: (path: string) => boolean): Promise<Seen> {
  const eslint = new ESLint({ cwd: root, overrideConfigFile: join(import.meta.dirname, "../../../eslint.config.mjs") });
  const files = projectFiles(root).filter((path) => isCode(path) && wanted(path));
  const results = files.length === 0 ? [] : await eslint.lintFiles(files);
  const faults = results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, ruleId, message }) => `${filePath.slice(root.length + 1)}:${line}: ${message} (${ruleId ?? "parser"})`),
  );
  return { looked: results.length, faults };
}
