import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { quoteShell } from "./quote-shell";

/** What a real sh hands to a program: its arguments, each ended by NUL. */
function asSeenByAProgram(line: string): string[] {
  const shown = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  return shown.split("\0").slice(0, -1);
}

const HOSTILE = [
  "",
  " ",
  "'",
  "''",
  "\\",
  "\\'",
  '"',
  "$(touch /tmp/pwned)",
  "`id`",
  "$HOME",
  "a;b",
  "a&b",
  "a|b",
  "a>b",
  "*",
  "?",
  "[a-z]",
  "~",
  "#no",
  "!x",
  "{a,b}",
  "a\nb",
  "a\rb",
  "\t",
  "-n",
  "--",
  "A=1",
  "ünï☃",
  "\u0001\u001b[2J",
  "'; rm -rf / #",
];

describe("quoting for a real sh", () => {
  it("hands every hostile argument through unchanged", () => {
    expect(asSeenByAProgram(quoteShell(HOSTILE))).toEqual(HOSTILE);
  });

  it("runs nothing that an argument names", () => {
    expect(asSeenByAProgram(quoteShell(["$(echo run)", "`echo run`"]))).toEqual(["$(echo run)", "`echo run`"]);
  });

  it("holds for any text", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !value.includes("\0"));
    const argvs = fc.sample(fc.array(text, { minLength: 1, maxLength: 30 }), { numRuns: 40, seed: 7 });
    for (const argv of argvs) expect(asSeenByAProgram(quoteShell(argv))).toEqual(argv);
  });

  it("never makes an assignment of a first word and refuses NUL", () => {
    expect(quoteShell(["A=1", "x"])).toBe("'A=1' x");
    expect(() => quoteShell(["a\0b"])).toThrow(/NUL/);
  });
});
