import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

const PROJECT = join(import.meta.dirname, "../../..");
const KEPT = ["tsconfig.json", "lib/core/tsconfig.json", ".prettierrc.json", ".prettierignore", "knip.json", "package.json"];

/** A small project in a temporary folder with this project's settings and the given files; removed when the test ends. */
export function plantedTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "clearance-guard-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of KEPT) cpSync(join(PROJECT, path), join(root, path));
  symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
