import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { type ChildSpec } from "./child-process";
import { Parts } from "./parts";
import { supervise } from "./supervise";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clearance-child-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function child(name: string, code: string, onLine?: (line: string) => void): ChildSpec {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return {
    name,
    argv: [file],
    env: process.env,
    cwd: folder,
    logFile: join(folder, `${name}.log`),
    ...(onLine === undefined ? {} : { onLine }),
  };
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // no such process
  }
};

test("a child that is killed is started again at once, and stops when asked", async () => {
  const lines: string[] = [];
  const restarts: string[] = [];
  const part = supervise(
    child("steady", "console.log('up'); setInterval(() => {}, 1000);", (line) => lines.push(line)),
    {
      onRestart: (text) => restarts.push(text),
      onGivenUp: () => undefined,
    },
  );
  await vi.waitFor(() => expect(lines).toEqual(["up"]), 10_000);
  const first = part.pid();
  process.kill(first, "SIGKILL");
  await vi.waitFor(() => expect(lines).toEqual(["up", "up"]), 10_000);
  expect(part.pid()).not.toBe(first);
  expect(restarts).toEqual(["The steady ended (SIGKILL); starting it again."]);
  await part.stop(5000);
  expect(isAlive(part.pid())).toBe(false);
  expect(readFileSync(join(folder, "steady.log"), "utf8")).toContain("--- steady ended, signal SIGKILL");
});

test("a child that does not stay up is given up with its last words", async () => {
  const said: string[] = [];
  const part = supervise(child("broken", "console.error('no such table'); process.exit(3);"), {
    onRestart: () => undefined,
    onGivenUp: (text) => said.push(text),
  });
  await vi.waitFor(() => expect(said).toHaveLength(1), { timeout: 35_000, interval: 100 });
  expect(said[0]).toContain("The broken does not stay up (code 3, 5 times): no such table");
  await part.stop(100);
}, 40_000);

test("a child that ignores SIGTERM is ended all the same", async () => {
  const lines: string[] = [];
  const part = supervise(
    child("deaf", "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);", (line) => lines.push(line)),
    {
      onRestart: () => undefined,
      onGivenUp: () => undefined,
    },
  );
  await vi.waitFor(() => expect(lines).toEqual(["up"]), 10_000);
  await part.stop(200);
  expect(isAlive(part.pid())).toBe(false);
});

test("parts stop in their order, whatever order they came in, and late ones at once", async () => {
  const stopped: string[] = [];
  const parts = new Parts();
  for (const name of ["claim", "database", "web", "worker"] as const) await parts.add(name, () => void stopped.push(name));
  await parts.stopAll();
  await parts.add("simulator", () => void stopped.push("late"));
  expect(stopped).toEqual(["web", "worker", "database", "claim", "late"]);
});

test("a child's own child waits on its own channel for its first word, as that of `next dev` does", async () => {
  const lines: string[] = [];
  const inner = join(folder, "inner.mjs");
  writeFileSync(inner, `process.on("message", (said) => { console.log("told " + said); process.exit(0); });`);
  const outer = `import { fork } from "node:child_process";
    const inner = fork(${JSON.stringify(inner)}, { execArgv: process.execArgv });
    setTimeout(() => inner.send("something", () => undefined), 300);
    inner.on("exit", () => console.log("inner ended"));
    setInterval(() => undefined, 1000);`;
  const part = supervise(
    child("outer", outer, (line) => lines.push(line)),
    { onRestart: () => undefined, onGivenUp: () => undefined },
  );
  await vi.waitFor(() => expect(lines).toEqual(["told something", "inner ended"]), { timeout: 10_000 });
  await part.stop(2_000);
});
