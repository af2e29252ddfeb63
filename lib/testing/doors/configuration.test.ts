import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BadEnvironment, readConfigFile } from "@/lib/env";
import { readSecret, SecretMissing } from "@/lib/server/config/secret";
import { HOSTILE } from "./hostile";

const GOOD = `clusters:
  - id: test
    title: Test
    production: false
    disposable: true
    timezone: UTC
    slurm: {cli: {via: local}, reservation: {users: [root]}}
    ssh: {user: root, privateKey: {file: /k}, knownHosts: {file: /h}}
    nodes: [{match: "t[1-2]", serverModel: X, accelerator: {model: H100, count: 8}, hca: {model: CX7, count: 8}, environment: e}]
`;
const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
  .split("")
  .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]`)
  .join("\n")}\n`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clearance-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a person is told of this file; "" when it is taken. Anything but `BadEnvironment` is a crash. */
function told(path: string): string {
  try {
    readConfigFile(path, {});
    return "";
  } catch (cause) {
    if (cause instanceof BadEnvironment) return cause.message;
    throw cause;
  }
}
function toldOf(bytes: string | Uint8Array): string {
  const path = join(folder, "clearance.yaml");
  writeFileSync(path, bytes);
  return told(path);
}

test("the file that the others are made from is taken, with and without a byte order mark", () => {
  expect(toldOf(GOOD)).toBe("");
  expect(toldOf(`\ufeff${GOOD}`)).toBe("");
});

test.each<readonly [string, string | Uint8Array, RegExp]>([
  ["nothing", "", /clearance\.yaml:1: .*empty/],
  ["white space", " \n\n\t\n", /clearance\.yaml:1: .*empty/],
  ["a comment alone", "# later\n", /clearance\.yaml:1: /],
  ["UTF-16", Uint8Array.from(Buffer.from(`\ufeff${GOOD}`, "utf16le")), /not UTF-8/],
  ["UTF-16 without a mark", Uint8Array.from(Buffer.from(GOOD, "utf16le")), /clearance\.yaml:1: .*U\+0000/],
  ["Latin-1", Uint8Array.from(Buffer.from(GOOD.replace("Test", "M\u00fcnchen"), "latin1")), /not UTF-8/],
  ["a cut character", Uint8Array.from([...Buffer.from(GOOD), 0xe2, 0x82]), /not UTF-8/],
  ["more than 256 KiB", GOOD + `# ${"x".repeat(256 * 1024)}\n`, /clearance\.yaml:1: Longer than 256 KiB/],
  ["some MiB", new Uint8Array(2 * 1024 * 1024).fill(0x23), /2097152 bytes/],
  ["an alias bomb", BOMB, /clearance\.yaml:\d+: .*more than 20000 values/],
  ["an alias to itself", "clusters: &a [*a]\n", /clearance\.yaml:1: /],
  ["brackets without end", "[".repeat(100_000), /clearance\.yaml:1: Nested deeper than 32/],
  [
    "maps without end",
    Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    /clearance\.yaml:\d+: .*Nested deeper than 32/,
  ],
  ["a tag that makes something", "clusters: !!js/function 'function(){}'\n", /clearance\.yaml:1: .*tag/],
  ["an unknown key", GOOD.replace("    timezone", "    timezon"), /clearance\.yaml:6: clusters\[0\]\.timezon: .*Did you mean timezone\?/],
  ["a name twice", GOOD.replace("    title: Test\n", "    title: Test\n    title: Best\n"), /clearance\.yaml:4: .*twice/],
  ["a list for a text", GOOD.replace("title: Test", "title: [Test]"), /clearance\.yaml:3: clusters\[0\]\.title: must be text/],
  ["a map for a list", GOOD.replace("users: [root]", "users: {root: 1}"), /clearance\.yaml:7: clusters\[0\]\.slurm\.reservation\.users: /],
  ["a text for a flag", GOOD.replace("production: false", 'production: "false"'), /clearance\.yaml:4: clusters\[0\]\.production: /],
  ["a fraction for a count", GOOD.replace("count: 8", "count: 8.5"), /clearance\.yaml:9: clusters\[0\]\.nodes\[0\]\.accelerator\.count: /],
  ["1e400 for a count", GOOD.replace("count: 8", "count: 1e400"), /clearance\.yaml:9: clusters\[0\]\.nodes\[0\]\.accelerator\.count: /],
  ["the prototype", `__proto__: {clusters: []}\n${GOOD}`, /clearance\.yaml:1: __proto__: .*not known/],
  ["a name of two lines twice", '"a\\nb": 1\n"a\\nb": 2\n', /clearance\.yaml:2: a b: "a b" stands here twice/],
  ["a document after it", `${GOOD}---\n${GOOD}`, /clearance\.yaml:\d+: /],
  ["a program", Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]), /U\+0000|U\+007F/],
])("%s ends in a sentence with its place", (_what, bytes, says) => {
  const said = toldOf(bytes);
  expect(said).toMatch(says);
  expect(said.length).toBeLessThan(20_000);
  expect(({} as { clusters?: unknown }).clusters).toBeUndefined();
});

test("cut at any byte it is refused, never half a site", () => {
  // Below this the last node rule is not whole; above, only its closing brackets and the line end are missing.
  for (let length = 0; length < GOOD.indexOf("environment: e}"); length += 1)
    expect(toldOf(GOOD.slice(0, length)), String(length)).not.toBe("");
});

test.each(Object.entries(HOSTILE))("%s as a title, a name, a host and a path", (_what, text) => {
  for (const [from, to] of [
    ["title: Test", `title: ${JSON.stringify(text)}`],
    ["id: test", `id: ${JSON.stringify(text)}`],
    ["user: root, private", `user: ${JSON.stringify(text)}, private`],
    ["timezone: UTC", `timezone: ${JSON.stringify(text)}`],
    ['match: "t[1-2]"', `match: ${JSON.stringify(text)}`],
    ["environment: e", `${JSON.stringify(text)}: e, environment: e`],
  ] as const) {
    const said = toldOf(GOOD.replace(from, () => to));
    expect(said === "" || /clearance\.yaml:\d+: /.test(said), `${to.slice(0, 60)}: ${said.slice(0, 200)}`).toBe(true);
    expect(said.length).toBeLessThan(20_000);
    // A fault is printed on a terminal: nothing of the file moves its cursor or turns its text around.
    expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});

test("a folder, a pipe that nobody writes to and a device without end are refused at once", () => {
  mkdirSync(join(folder, "folder"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const path of [join(folder, "folder"), join(folder, "pipe"), "/dev/zero"]) expect(told(path)).toContain("it is not a file");
});

test("a secret in a folder, a pipe that nobody writes to, a device without end or a huge file is missing, in a sentence with its path", () => {
  const paths = ["secret-folder", "secret-pipe", "secret-huge", "secret-empty", "secret-good"].map((name) => join(folder, name));
  const [inFolder = "", pipe = "", huge = "", empty = "", good = ""] = paths;
  mkdirSync(inFolder);
  execFileSync("mkfifo", [pipe]);
  writeFileSync(huge, "x".repeat(70_000));
  writeFileSync(empty, " \n");
  writeFileSync(good, "s3cret\n");
  for (const file of [inFolder, pipe, huge, empty, "/dev/zero", join(folder, "none")]) {
    expect(() => readSecret({ file }, {}), file).toThrow(SecretMissing);
    expect(() => readSecret({ file }, {}), file).toThrow(file);
  }
  expect(readSecret({ file: good }, {})).toBe("s3cret");
});
