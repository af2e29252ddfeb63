import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Env } from "@/lib/env";

import { isBuilt, sourceHash } from "./build";
import { CannotStart, sentenceOf } from "./cannot-start";
import { startNode } from "./child-process";
import { claimDataDir } from "./one-start";
import { requireFreePort } from "./ports";
import { keptSecret, readSettings } from "./settings";
import { requireSiteFiles } from "./site-files";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "clearance-settings-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("without anything it is the demo, on loopback, in the project's own folder", () => {
  expect(readSettings([], {} as NodeJS.ProcessEnv, root)).toEqual({
    root,
    dataDir: join(root, ".clearance"),
    host: "127.0.0.1",
    port: 3000,
    databaseUrl: null,
    configFile: null,
    demoContent: true,
    dev: false,
  });
});

test.each([
  [["--fast"], {}, '"--fast" is not an option'],
  [[], { PORT: "http" }, "PORT must be a number"],
  [[], { PORT: "70000" }, "PORT must be a number"],
  [[], { DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a postgresql:// address"],
  [[], { CLEARANCE_DEMO_CONTENT: "some" }, "CLEARANCE_DEMO_CONTENT must be on or off"],
  [[], { HOST: "0.0.0.0" }, "The demo listens on loopback only"],
  [[], { CLEARANCE_DATA: "/dev/null/clearance" }, "The data folder /dev/null/clearance cannot be written"],
  // Nothing can be made there, and making a path of several folders at once never ends.
  [[], { CLEARANCE_DATA: "/proc/clearance/data" }, "The data folder /proc/clearance/data cannot be written"],
  [[], { CLEARANCE_DATA: "/sys/clearance/a/b" }, "The data folder /sys/clearance/a/b cannot be written"],
  [[], { CLEARANCE_DATA: "/tmp/\0" }, "cannot be written"],
  [[], { CLEARANCE_DATA: `/tmp/${"x".repeat(300)}` }, "cannot be written"],
])("%j %j is refused in one sentence", (argv, env, says) => {
  expect(() => readSettings(argv, env as unknown as NodeJS.ProcessEnv, root)).toThrow(says);
});

test("a site of its own is never filled with demo content, nor is a demo that does not want it", () => {
  const contentOf = (env: Readonly<Record<string, string>>) => readSettings([], env as unknown as NodeJS.ProcessEnv, root).demoContent;
  expect([
    contentOf({ CLEARANCE_DEMO_CONTENT: "off" }),
    contentOf({ CLEARANCE_CONFIG: "site.yaml", CLEARANCE_DEMO_CONTENT: "on" }),
  ]).toEqual([false, false]);
});

test("a taken port is told with the way out", async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const { port } = other.address() as { port: number };
  await expect(requireFreePort("127.0.0.1", port)).rejects.toThrow(
    `Port ${port} is taken by another program. Stop it, or choose another port: PORT=${port + 1} npm start.`,
  );
  await new Promise((done) => other.close(done));
  await requireFreePort("127.0.0.1", port);
});

test("what the system refuses is one sentence; a bug keeps its stack", () => {
  mkdirSync(join(root, "claimed", "start.pid"), { recursive: true });
  expect(() => claimDataDir(join(root, "claimed"))).toThrow(/claimed\/start\.pid says which process runs .* EISDIR.*Remove it\.$/);
  const refused = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write", path: "/data/x" });
  expect(sentenceOf(refused)).toMatch(/^Clearance cannot start: ENOSPC: no space left on device, write '\/data\/x'\. .*CLEARANCE_DATA\.$/);
  expect(sentenceOf(new CannotStart("Port 1 is taken."))).toBe("Port 1 is taken.");
  expect(sentenceOf(new TypeError("x is not a function"))).toBeNull();
});

test("files that the configuration names for SSH are asked for at the start, each by its place", () => {
  const key = join(root, "key");
  writeFileSync(key, "k");
  const cluster = (privateKey: string, knownHosts: string) =>
    ({ id: "test", ssh: { privateKey: { file: privateKey }, knownHosts: { file: knownHosts } } }) as Env["config"]["clusters"][number];
  requireSiteFiles({ clusters: [cluster(key, key)] });
  expect(() => requireSiteFiles({ clusters: [cluster(join(root, "none"), root)] })).toThrow(
    /none, which cluster test names as ssh\.privateKey, cannot be read: ENOENT.*\n.*ssh\.knownHosts, cannot be read: it is not a file/,
  );
});

test("a part whose log cannot be written runs on, however much it prints", async () => {
  const print = "process.stdout.write('x'.repeat(4e6), () => process.stderr.write('y'.repeat(4e6), () => process.exit(7)))";
  const child = startNode({ name: "part", argv: ["-e", print], env: process.env, cwd: root, logFile: root });
  expect(await child.ended).toMatchObject({ code: 7 });
});

test("a secret is made once and only its owner reads it", () => {
  expect(keptSecret(root, "secret", () => "one")).toBe("one");
  expect(keptSecret(root, "secret", () => "two")).toBe("one");
  expect(statSync(join(root, "secret")).mode & 0o077).toBe(0);
});

test("a claim left by a dead start, or by a number that is somebody else's now, is taken over", () => {
  writeFileSync(join(root, "start.pid"), "999999999");
  claimDataDir(root)();
  writeFileSync(join(root, "start.pid"), "1");
  claimDataDir(root)();
});

test("pages are built again when a source changed, not when a test or the worker did", () => {
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  for (const folder of ["app", "lib/core", "lib/worker", ".next"]) mkdirSync(join(root, folder), { recursive: true });
  write("app/page.tsx", "1");
  write("lib/worker/main.ts", "1");
  const first = sourceHash(root);
  write("lib/worker/main.ts", "2");
  write("lib/core/a.test.ts", "2");
  expect(sourceHash(root)).toBe(first);
  expect(isBuilt(root, first)).toBe(false);
  write(".next/BUILD_ID", "x");
  write(".next/clearance-sources", first);
  expect(isBuilt(root, first)).toBe(true);
  write("app/page.tsx", "2");
  expect(isBuilt(root, sourceHash(root))).toBe(false);
});
