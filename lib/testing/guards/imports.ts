import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { cruise, type ICruiseResult, type IModule } from "dependency-cruiser";

import { type Guard } from "./guard";
import { importRules } from "./import-rules";
import { isCode, isTest, projectFiles } from "./project-files";

const ROOTS = ["app", "components", "lib", "prisma", "proxy.ts"];

/** The resolver remembers one tree for the whole process; another tree has to make it forget. */
let resolvedRoot: string | null = null;

/** Who may import whom, no circles, no orphans, and no way from the browser to the record. */
export const importsGuard: Guard = {
  name: "imports",
  unit: "modules",
  look: async (root) => {
    const client = projectFiles(root)
      .filter(isCode)
      .filter((path) => /^\s*["']use client["']/.test(readFileSync(join(root, path), "utf8")));
    const roots = ROOTS.filter((name) => existsSync(join(root, name)));
    if (roots.length === 0) return { looked: 0, faults: [] };
    const bustTheCache = resolvedRoot !== null && resolvedRoot !== root;
    resolvedRoot = root;
    const { output } = await cruise(
      roots,
      {
        baseDir: root,
        validate: true,
        ruleSet: { forbidden: importRules(client) },
        tsPreCompilationDeps: true,
        doNotFollow: { path: ["node_modules", "^prisma/generated"] },
        exclude: { path: ["^\\.next", "/samples/"] },
      },
      { bustTheCache, alias: { "@": root }, exportsFields: ["exports"], conditionNames: ["import", "node", "require", "default", "types"] },
    );
    const { summary, modules } = output as ICruiseResult;
    const looked = modules.filter(({ source }) => !source.includes("node_modules") && /^(app|components|lib|prisma)\//.test(source)).length;
    const faults = summary.violations.map(({ rule, from, to, cycle, via }) => {
      const way = (cycle ?? via ?? []).map(({ name }) => name);
      return `${from} -> ${to}: ${rule.name}${way.length > 0 ? ` (by ${way.join(" -> ")})` : ""}`;
    });
    return { looked, faults: [...new Set([...faults, ...coreFolderCircles(modules)])] };
  },
};

/** Circles between folders of the core, which no rule about single modules sees. Tests do not count. */
function coreFolderCircles(modules: readonly IModule[]): string[] {
  const folderOf = (path: string): string | undefined => /^lib\/core\/([^/]+)\//.exec(path)?.[1];
  const edges = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules.filter((module) => !isTest(module.source))) {
    const from = folderOf(source);
    for (const to of dependencies.map(({ resolved }) => folderOf(resolved))) {
      if (from !== undefined && to !== undefined && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const reaches = (from: string, to: string, seen: ReadonlySet<string>): boolean =>
    [...(edges.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && reaches(next, to, new Set([...seen, next]))));
  const inCircle = [...edges.keys()].filter((folder) => reaches(folder, folder, new Set()));
  return inCircle.length === 0 ? [] : [`lib/core/{${inCircle.sort().join(",")}}: core-folder-cycles`];
}
