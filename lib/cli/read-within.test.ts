import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readWithin } from "./read-within";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clearance-read-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a file and a pipe are read to their end", async () => {
  writeFileSync(join(folder, "file"), "text");
  expect(new TextDecoder().decode(await readWithin(join(folder, "file")))).toBe("text");
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  spawn("sh", ["-c", `printf piped > ${pipe}`]);
  expect(new TextDecoder().decode(await readWithin(pipe))).toBe("piped");
});

test("exactly the limit is taken; a byte more, and a device without end, are given up with a sentence", async () => {
  writeFileSync(join(folder, "most"), new Uint8Array(1024 * 1024));
  expect((await readWithin(join(folder, "most"), 1024 * 1024)).length).toBe(1024 * 1024);
  writeFileSync(join(folder, "more"), new Uint8Array(1024 * 1024 + 1));
  await expect(readWithin(join(folder, "more"), 1024 * 1024)).rejects.toThrow("it is longer than 1 MiB");
  await expect(readWithin("/dev/zero", 1024 * 1024)).rejects.toThrow("it is longer than 1 MiB");
});

test("a folder and a file that is not there are said", async () => {
  await expect(readWithin(folder)).rejects.toThrow(/EISDIR/);
  await expect(readWithin(join(folder, "none"))).rejects.toThrow(/ENOENT/);
});
