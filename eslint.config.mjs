// Lint rules of the whole project. The first block of selectors keeps the core pure; the guards run exactly this file.
import tseslint from "typescript-eslint";

const PURE = [
  ["AwaitExpression", "The core decides, it never waits: no await in lib/core."],
  [":function[async=true]", "The core decides, it never waits: no async functions in lib/core."],
  ["ForOfStatement[await=true]", "The core decides, it never waits: no for await in lib/core."],
  ["NewExpression[callee.name='Date'][arguments.length=0]", "No clock in lib/core: take `now` as an argument."],
  ["CallExpression[callee.name='Date']", "No clock in lib/core: take `now` as an argument."],
  [
    "MemberExpression[object.name='Date'][property.name!='UTC'][property.name!='parse']",
    "No clock in lib/core: take `now` as an argument.",
  ],
  ["MemberExpression[object.name='Math'][property.name='random']", "No randomness in lib/core: take it as an argument."],
  ["MemberExpression[object.name='Math'][computed=true]", "Math is used by plain names in lib/core, so that randomness can be seen."],
  ["VariableDeclarator[init.name=/^(Date|Math|Reflect)$/]", "Do not rename or take apart Date and Math in lib/core."],
  [
    "Identifier[name=/^(globalThis|window|self|global|Reflect|eval)$/]",
    "No global object in lib/core: what is needed comes in as an argument.",
  ],
  [
    "CallExpression[callee.name=/^(setTimeout|setInterval|setImmediate|queueMicrotask|fetch|require)$/]",
    "No timers, network or loading in lib/core.",
  ],
  ["MemberExpression[object.name=/^(process|performance|crypto|console)$/]", "No surroundings in lib/core: values in, values out."],
  ["NewExpression[callee.name=/^(Promise|Function)$/]", "Values in, values out: no promises and no built code in lib/core."],
  ["ImportExpression", "Imports of lib/core are static."],
];
const EVERYWHERE = [
  ["CatchClause > BlockStatement[body.length=0]", "Nobody swallows: handle the error or say in a value why it does not matter."],
  [
    "CallExpression[callee.property.name='catch'] > :function > BlockStatement[body.length=0]",
    "Nobody swallows: handle the rejection or say in a value why it does not matter.",
  ],
  ["ExportAllDeclaration", "No barrels: import the file that has the thing."],
  [
    "MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo|fails)$/]",
    "No test is skipped, focused or left open.",
  ],
];
const NAMED = [["ExportDefaultDeclaration", "Named exports; a default only where a tool demands it."]];
const restricted = (...blocks) => ["error", ...blocks.flat().map(([selector, message]) => ({ selector, message }))];

const TESTS = ["**/*.test.ts", "**/*.test.tsx", "**/*.spec.ts", "lib/testing/**"];
const DEFAULTS = ["app/**", "*.config.ts", "*.config.mjs", "e2e/*.config.ts"];

export default tseslint.config(
  {
    ignores: [
      "node_modules/**",
      ".next*/**",
      "prisma/generated/**",
      "next-env.d.ts",
      ".clearance*/**",
      "test-results/**",
      "playwright-report/**",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx,mjs}"],
    extends: [tseslint.configs.recommended],
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports", disallowTypeAnnotations: false }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-console": "error",
      "no-debugger": "error",
      "no-eval": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-restricted-syntax": restricted(EVERYWHERE, NAMED),
    },
  },
  { files: DEFAULTS, rules: { "no-restricted-syntax": restricted(EVERYWHERE) } },
  { files: ["lib/core/**/*.ts"], ignores: TESTS, rules: { "no-restricted-syntax": restricted(PURE, EVERYWHERE, NAMED) } },
  { files: TESTS, rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
  { files: ["lib/cli/**", "lib/testing/**", "prisma/*", "lib/simulator/main.ts", "lib/demo/**"], rules: { "no-console": "off" } },
  {
    files: ["lib/{services,worker,adapters,store,server,simulator,cli}/**/*.ts", "lib/*.ts", "app/**/*.{ts,tsx}", "components/**/*.tsx"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/await-thenable": "error",
    },
  },
);
