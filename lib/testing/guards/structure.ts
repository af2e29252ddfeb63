import { readFileSync } from "node:fs";
import { join } from "node:path";

import { type Guard } from "./guard";
import { isCode, projectFiles } from "./project-files";

const TOP_LEVEL = new Set(
  [
    ["package.json", "package-lock.json", "tsconfig.json", "next.config.ts", "proxy.ts", "README.md", "AGENTS.md", "LICENSE"],
    ["app", "components", "prisma", "lib", "e2e", "public", ".ci"],
    // What a tool insists on having at the root.
    [".gitignore", ".npmrc", ".prettierrc.json", ".prettierignore", "eslint.config.mjs", "vitest.config.ts", "prisma.config.ts"],
    ["knip.json", "playwright.config.ts", "postcss.config.mjs", "clearance.yaml", "clearance.example.yaml"],
  ].flat(),
);
const LIB_FOLDERS = "adapters cli client core demo parsers ports server services simulator store testing worker".split(" ");
const LIB_FILES = ["wiring.ts", "env.ts"];
const BANNED = /^(utils?|helpers?|common|misc|types|constants|index|manager|data)$/;
const BANNED_ENDING = /(^|-)(utils?|helpers?|misc|manager)$/;
/** Names that a framework gives, not we. */
const FRAMEWORK = /^(\[.*\]|\(.*\)|@.*|_.*)$/;

/** Line caps, first match counts. */
const CAPS: readonly (readonly [RegExp, number, string])[] = [
  [/\.(test|spec)\.tsx?$/, 400, "a test"],
  [/^app\/.*page\.tsx$/, 120, "a page"],
  [/^(components|app)\/.*\.tsx$/, 200, "a component"],
  [/^lib\/core\//, 250, "a core file"],
  [/\.(ts|tsx|mjs|cjs|js|jsx|css|sh)$/, 400, "a file"],
];

/** Where files are, how long they are and what they are called. */
export const structureGuard: Guard = {
  name: "structure",
  unit: "files",
  look: async (root) => {
    const files = projectFiles(root);
    return { looked: files.filter(isCode).length, faults: files.flatMap((path) => faultsOfFile(root, path)) };
  },
};

function faultsOfFile(root: string, path: string): string[] {
  const faults = [...placeFaults(path), ...nameFaults(path)];
  const cap = CAPS.find(([pattern]) => pattern.test(path));
  if (cap === undefined) return faults;
  const text = readFileSync(join(root, path), "utf8");
  const [, most, what] = cap;
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines > most) faults.push(`${path}: ${lines} lines, ${what} may have ${most}`);
  if (isCode(path) && isBarrel(text)) faults.push(`${path}: only passes exports on; import the file that has the thing`);
  return faults;
}

function placeFaults(path: string): string[] {
  const [top = "", second = "", third] = path.split("/");
  if (!TOP_LEVEL.has(top)) return [`${path}: "${top}" is not part of the top level`];
  if (top !== "lib") return [];
  const known = third === undefined ? LIB_FILES.includes(second) || /^env\.test\.ts$/.test(second) : LIB_FOLDERS.includes(second);
  return known ? [] : [`${path}: "lib/${second}" is not part of the layout`];
}

function nameFaults(path: string): string[] {
  if (path.startsWith("public/") || path.includes("/samples/") || path.includes("/migrations/")) return [];
  const parts = path.split("/");
  const file = parts.pop() ?? "";
  const stem = file.replace(/(\.(test|spec|real|simulator|path|long|config|module|example|d))*\.[a-z0-9]+$/i, "");
  const folderFaults = parts
    .filter((part) => BANNED.test(part))
    .map((part) => `${path}: "${part}" says nothing; name it after what it holds`);
  if (!isCode(path)) return folderFaults;
  if (BANNED.test(stem) || BANNED_ENDING.test(stem))
    return [...folderFaults, `${path}: "${stem}" says nothing; name it after its main export`];
  const inKebab = /^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) || FRAMEWORK.test(stem);
  return inKebab ? folderFaults : [...folderFaults, `${path}: not in kebab-case`];
}

function isBarrel(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "").trim();
  return code !== "" && /^(export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s+["'][^"']+["'];?\s*)+$/.test(code);
}
