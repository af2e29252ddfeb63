import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { BadEnvironment, readEnv } from "./env";

const YAML = `clusters:
  - id: test
    title: Test
    production: false
    disposable: true
    timezone: UTC
    slurm: {cli: {via: local}, reservation: {users: [root]}}
    ssh: {user: root, privateKey: {file: /k}, knownHosts: {file: /h}}
    nodes: [{match: "t[1-2]", serverModel: X, accelerator: {model: H100, count: 8}, hca: {model: CX7, count: 8}, environment: e}]
`;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clearance-env-"));
  writeFileSync(join(folder, "good.yaml"), YAML);
  writeFileSync(join(folder, "bad.yaml"), YAML.replace("timezone", "timezon"));
  writeFileSync(join(folder, "token"), "abc\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const variables = (over: Record<string, string | undefined> = {}): Record<string, string | undefined> => ({
  DATABASE_URL: "postgresql://u@127.0.0.1:1/x",
  CLEARANCE_CONFIG: join(folder, "good.yaml"),
  CLEARANCE_AUTH_SECRET: "s".repeat(32),
  ...over,
});
const faultOf = (over: Record<string, string | undefined>): string => {
  try {
    readEnv(variables(over));
  } catch (fault) {
    if (fault instanceof BadEnvironment) return fault.message;
    throw fault;
  }
  return "none";
};

test("good surroundings are read, with defaults", () => {
  expect(readEnv(variables())).toMatchObject({ port: 3000, demo: false, config: { clusters: [{ id: "test" }] } });
});

test("secrets are read at each call, from variable or file, and a missing one is named", () => {
  const env = readEnv(variables({ TOKEN: "t1" }));
  expect(env.secret({ variable: "TOKEN" })).toBe("t1");
  expect(env.secret({ file: join(folder, "token") })).toBe("abc");
  writeFileSync(join(folder, "token"), "renewed\n");
  expect(env.secret({ file: join(folder, "token") })).toBe("renewed");
  expect(() => env.secret({ variable: "GONE" })).toThrow("The environment variable GONE is not set");
  expect(() => env.secret({ file: join(folder, "gone") })).toThrow("cannot be read");
});

test.each([
  ["no database", { DATABASE_URL: undefined }, "DATABASE_URL is not set"],
  ["a database of another kind", { DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a postgresql:// address"],
  ["a port that is none", { PORT: "http" }, "PORT must be a port"],
  ["a port of 0", { PORT: "0" }, "PORT must be a port"],
  ["a short secret", { CLEARANCE_AUTH_SECRET: "x" }, "CLEARANCE_AUTH_SECRET must have at least 32"],
  [
    "no configuration file",
    { CLEARANCE_CONFIG: "/nowhere/c.yaml" },
    "The configuration /nowhere/c.yaml cannot be read: there is no such file.",
  ],
])("%s is one clear sentence", (_what, over, says) => {
  expect(faultOf(over)).toContain(says);
});

test("faults of the file come with file and line", () => {
  expect(faultOf({ CLEARANCE_CONFIG: join(folder, "bad.yaml") })).toContain(
    'bad.yaml:6: clusters[0].timezon: "timezon" is not known here. Did you mean timezone?',
  );
});
