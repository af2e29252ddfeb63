import { type IForbiddenRuleType } from "dependency-cruiser";

const OURS = "^(app|components|lib|prisma|e2e)/";
const TEST = "\\.(test|spec)\\.tsx?$";

/** Who may import whom: folder, and what of ours it may reach. `$1` is the first group of the folder's pattern. */
const ALLOWED: readonly (readonly [name: string, from: string, to: readonly string[]])[] = [
  ["core", "^lib/core/", ["^lib/core/"]],
  ["ports", "^lib/ports/", ["^lib/core/", "^lib/ports/"]],
  ["parsers", "^lib/parsers/", ["^lib/core/", "^lib/parsers/"]],
  ["services", "^lib/services/", ["^lib/core/", "^lib/parsers/", "^lib/ports/", "^lib/services/"]],
  ["adapters", "^lib/adapters/([^/]+)/", ["^lib/core/", "^lib/parsers/", "^lib/ports/", "^lib/adapters/$1/", "^lib/adapters/http/"]],
  ["store", "^lib/store/", ["^lib/core/", "^lib/ports/", "^lib/store/", "^prisma/generated/"]],
  ["client", "^lib/client/", ["^lib/core/", "^lib/client/"]],
  ["server-config", "^lib/server/config/", ["^lib/core/", "^lib/server/config/"]],
  ["server", "^lib/server/", ["^lib/core/", "^lib/ports/", "^lib/services/", "^lib/server/", "^lib/client/", "^lib/(wiring|env)\\.ts$"]],
  ["env", "^lib/env\\.ts$", ["^lib/core/", "^lib/server/config/"]],
  ["wiring", "^lib/wiring\\.ts$", ["^lib/(core|parsers|ports|services|adapters|store|server/config)/", "^lib/env\\.ts$"]],
  ["worker", "^lib/worker/", ["^lib/(core|parsers|ports|services|worker)/", "^lib/(wiring|env)\\.ts$"]],
  ["cli", "^lib/cli/", ["^lib/(core|parsers|ports|services|cli)/", "^lib/(wiring|env)\\.ts$", "^lib/adapters/[^/]+/wire\\.ts$"]],
  ["demo", "^lib/demo/", ["^lib/(core|parsers|ports|services|demo)/", "^lib/(wiring|env)\\.ts$"]],
  ["simulator", "^lib/simulator/", ["^lib/core/", "^lib/simulator/"]],
  ["components", "^components/", ["^components/", "^lib/(core|client)/"]],
  ["app", "^app/(?!.*actions\\.ts$)(?!api/v1/)", ["^app/", "^components/", "^lib/(core|client|server)/"]],
  // Server actions and the API are two doors to the same use cases.
  ["app-doors", "^app/(.*actions\\.ts$|api/v1/)", ["^app/", "^components/", "^lib/(core|client|server|services)/"]],
  ["proxy", "^proxy\\.ts$", ["^lib/(core|client|server)/"]],
  ["prisma", "^prisma/[^/]+$", ["^prisma/", "^lib/(core|ports|store|server)/", "^lib/env\\.ts$"]],
];

/** Floors of the core, lowest first: a folder may import its own floor and those below. */
const FLOORS = [
  "kernel",
  "access|node|topology",
  "config-state|check|acceptance|window|emergency",
  "plan",
  "planner",
  "change",
  "engine",
  "handoff|postmortem|audit",
];

const allowRules = ALLOWED.map(([name, path, to]): IForbiddenRuleType => ({
  name: `${name}-imports`,
  severity: "error",
  from: { path, pathNot: [TEST, ...(name === "server" ? ["^lib/server/config/"] : [])] },
  to: { path: `${OURS}|^proxy\\.ts$`, pathNot: [...to] },
}));
const floorRules = FLOORS.slice(0, -1).map((floor, i): IForbiddenRuleType => ({
  name: "core-floors",
  severity: "error",
  from: { path: `^lib/core/(${floor})/`, pathNot: TEST },
  to: { path: `^lib/core/(${FLOORS.slice(i + 1).join("|")})/` },
}));
const NPM = ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown", "core"] as const;

/** The rules of the whole tree; `clientFiles` are the modules that say "use client". */
export const importRules = (clientFiles: readonly string[]): IForbiddenRuleType[] => [
  ...allowRules,
  ...floorRules,
  {
    name: "core-npm",
    comment: "the core knows zod, and yaml in the two files that read documents",
    severity: "error",
    from: { path: "^lib/core/", pathNot: TEST },
    to: { dependencyTypes: [...NPM], pathNot: ["(^|/)node_modules/zod/", "(^|/)node_modules/yaml/"] },
  },
  {
    name: "core-yaml",
    severity: "error",
    from: { path: "^lib/core/", pathNot: [TEST, "^lib/core/(plan/read-plan|acceptance/read-job)\\.ts$"] },
    to: { path: "(^|/)node_modules/yaml/" },
  },
  { name: "ports-npm", severity: "error", from: { path: "^lib/ports/" }, to: { dependencyTypes: [...NPM] } },
  { name: "ports-types-only", severity: "error", from: { path: "^lib/ports/" }, to: { path: OURS, dependencyTypesNot: ["type-only"] } },
  {
    name: "ui-npm",
    severity: "error",
    from: { path: "^components/ui/", pathNot: TEST },
    to: { path: "(^|/)node_modules/(pg|zod|yaml|ssh2|next-auth|@prisma|@dbos-inc)(/|$)" },
  },
  { name: "ui-no-domain", severity: "error", from: { path: "^components/ui/", pathNot: TEST }, to: { path: "^lib/" } },
  {
    name: "sql-only-in-store",
    severity: "error",
    from: { path: OURS, pathNot: ["^lib/(store|testing|worker|simulator)/", "^lib/wiring\\.ts$", "^lib/cli/start/", "^prisma/", TEST] },
    to: { path: "(^prisma/generated/|(^|/)node_modules/(pg|@prisma)/)" },
  },
  {
    name: "browser-reach",
    comment: "code that runs in the browser must not reach the record, the adapters or the machine",
    severity: "error",
    from: { path: ["^lib/client/", ...clientFiles.map((path) => `^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)] },
    to: { path: "^(lib/(store|adapters|services|server|worker|simulator|cli|testing)/|lib/(wiring|env)\\.ts$|prisma/)", reachable: true },
  },
  {
    name: "testing-stays-out",
    severity: "error",
    from: { path: `${OURS}|^proxy\\.ts$`, pathNot: ["^lib/testing/", "^e2e/", TEST] },
    to: { path: "^lib/testing/" },
  },
  { name: "no-tests-imported", severity: "error", from: {}, to: { path: TEST } },
  {
    name: "no-cycles",
    comment: "cycles of types alone are allowed inside one core folder only",
    severity: "error",
    from: { pathNot: "^(prisma/generated|node_modules)/" },
    to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
  },
  { name: "no-type-cycles", severity: "error", from: { path: OURS, pathNot: "^(lib/core|prisma/generated)/" }, to: { circular: true } },
  {
    name: "no-orphans",
    severity: "error",
    from: {
      orphan: true,
      pathNot: [TEST, "\\.d\\.ts$", "\\.mjs$", "\\.config\\.ts$", "^app/", "^prisma/", "^lib/ports/", "^lib/core/.*/samples/"],
    },
    to: {},
  },
  { name: "no-unresolved", severity: "error", from: { pathNot: "^prisma/generated/" }, to: { couldNotResolve: true } },
];
