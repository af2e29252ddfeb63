import { join } from "node:path";

import ts from "typescript";

import { type Guard, type Seen } from "./guard";

const STRICT = ["strict", "noUncheckedIndexedAccess", "noImplicitOverride", "noFallthroughCasesInSwitch"] as const;

/** The whole tree as it is built and run. */
export const typesGuard: Guard = { name: "types", unit: "files", look: async (root) => check(root, "tsconfig.json") };

/** The core without any type of the browser or of Node. */
export const coreTypesGuard: Guard = { name: "core types", unit: "files", look: async (root) => check(root, "lib/core/tsconfig.json", []) };

function check(root: string, path: string, ambient?: readonly string[]): Seen {
  const file = join(root, path);
  const read = ts.readConfigFile(file, (name) => ts.sys.readFile(name));
  if (read.error !== undefined) return { looked: 0, faults: [textOf(root, read.error)] };
  const parsed = ts.parseJsonConfigFileContent(read.config, ts.sys, join(file, ".."));
  const options: ts.CompilerOptions = { ...parsed.options, incremental: false, tsBuildInfoFile: undefined };
  const loose = STRICT.filter((name) => options[name] !== true).map((name) => `${path}: "${name}" must be on`);
  const open = ambient !== undefined && options.types?.length !== 0 ? [`${path}: "types" must be empty`] : [];
  const dom = ambient !== undefined && options.lib?.some((lib) => lib.includes("dom")) ? [`${path}: "lib" must not name the browser`] : [];
  const program = ts.createProgram({ rootNames: parsed.fileNames, options });
  const diagnostics = [...parsed.errors, ...ts.getPreEmitDiagnostics(program)];
  return { looked: parsed.fileNames.length, faults: [...loose, ...open, ...dom, ...diagnostics.map((d) => textOf(root, d))] };
}

function textOf(root: string, { file, start, messageText, code }: ts.Diagnostic): string {
  const text = `${ts.flattenDiagnosticMessageText(messageText, " ")} (TS${code})`;
  if (file === undefined || start === undefined) return text;
  return `${file.fileName.replace(`${root}/`, "")}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${text}`;
}
