import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeReading } from "@/lib/core/check/judge-reading";
import { PARSERS, type ParserName } from "./parsers";

const FOLDER = "lib/parsers/samples";
const parserOf = (file: string): ParserName | null =>
  file.startsWith("nccl")
    ? "nccl-tests"
    : file.startsWith("dcgm_v")
      ? "dcgm-diag"
      : file.startsWith("nvidia_smi_query")
        ? "nvidia-smi"
        : null;
const FILES = readdirSync(FOLDER).flatMap((file) => {
  const parser = parserOf(file);
  return parser === null ? [] : [{ file, parser, bytes: new Uint8Array(readFileSync(`${FOLDER}/${file}`)) }];
});
/** GPUs or ranks that must be there, as an inventory would say. */
const gpusOf = (file: string): number =>
  file.startsWith("dcgm") || file.startsWith("nvidia") ? 4 : /legacy|single_node/.test(file) ? 8 : 16;
const verdictOf = (parser: ParserName, bytes: Uint8Array, gpus: number) =>
  judgeReading(PARSERS[parser](bytes), null, null, null, { gpus }).judged.verdict;
/** White space and comment signs at the end say nothing: without them the content is still whole. */
const contentEnd = (bytes: Uint8Array): number =>
  new TextDecoder()
    .decode(bytes)
    .replace(/\[1,0\]<stdout>:#\s*$/, "")
    .replace(/[\s#]+$/, "").length;

describe("R2.3: a cut output never passes", () => {
  test.each(FILES)(
    "$file cut anywhere",
    ({ file, parser, bytes }) => {
      const whole = contentEnd(bytes);
      const passed: number[] = [];
      for (let length = 0; length < whole; length += length > whole - 600 || length < 200 ? 1 : 3)
        if (verdictOf(parser, bytes.subarray(0, length), gpusOf(file)) === "pass") passed.push(length);
      expect(passed).toEqual([]);
    },
    60_000,
  );

  test("a last column cut in the middle of its number is no row", () => {
    const csv = "index, driver_version\n0, 570.172.08\n1, 570.172.08\n";
    for (let length = 1; length < csv.length; length++) {
      const reading = PARSERS["nvidia-smi"](new TextEncoder().encode(csv.slice(0, length)));
      const judged = judgeReading(reading, null, null, null, { gpus: 2, named: { driver_version: { every: "570.172.08" } } });
      expect(judged.judged.verdict, csv.slice(0, length)).not.toBe("pass");
    }
  });

  test("one line less anywhere in a table of nccl-tests never passes against the number of sizes", () => {
    const text = readFileSync(`${FOLDER}/nccl_ok_v2.19.txt`, "utf8").split("\n");
    const rows = text.flatMap((line, index) => (/^\s+\d{6,}/.test(line) ? [index] : []));
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      const without = text.filter((_, index) => index !== row).join("\n");
      expect(verdictOf("nccl-tests", new TextEncoder().encode(without), 16)).toBe("unresolved");
    }
  });
});

describe("garbage never passes and never throws", () => {
  const names = Object.keys(PARSERS) as ParserName[];

  test("random bytes and random text", () => {
    const input = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ maxLength: 400, unit: "binary" }).map((text) => new TextEncoder().encode(text)),
      fc.json({ maxDepth: 4 }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), input, (parser, bytes) => verdictOf(parser, bytes, 4) !== "pass"),
      { numRuns: 1500 },
    );
  });

  test("real outputs with bytes changed, removed and repeated", () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(40),
      insert: fc.uint8Array({ maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...FILES), fc.array(change, { minLength: 1, maxLength: 5 }), ({ parser, bytes, file }, changes) => {
        let spoilt = bytes;
        for (const { at, remove, insert } of changes) {
          const from = Math.floor(at * spoilt.length);
          spoilt = new Uint8Array([...spoilt.subarray(0, from), ...insert, ...spoilt.subarray(from + remove)]);
        }
        const reading = PARSERS[parser](spoilt);
        expect(["pass", "fail", "unresolved"]).toContain(judgeReading(reading, null, null, null, { gpus: gpusOf(file) }).judged.verdict);
        JSON.stringify(reading);
      }),
      { numRuns: 400 },
    );
  });

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["17 MiB", new Uint8Array(17 * 1024 * 1024).fill(97)],
    ["a million lines", new TextEncoder().encode("x\n".repeat(1_000_000))],
    [
      "long lines of blanks",
      new TextEncoder().encode(`${"| ".repeat(30_000)}\n${" ".repeat(60_000)}x\n|${" ".repeat(60_000)}\n|----- ${"a ".repeat(30_000)}\n`),
    ],
    ["only newlines", new TextEncoder().encode("\n".repeat(90_000))],
    ["a table of blanks", new TextEncoder().encode(`| Diagnostic | Result |\n${`|${" ".repeat(500)}\n`.repeat(2000)}`)],
    [
      "a row of digits",
      new TextEncoder().encode(`#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n${"1 ".repeat(30_000)}\n`),
    ],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0x00])],
    ["not UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x80])],
    ["deep JSON", new TextEncoder().encode('{"a":'.repeat(100_000))],
    ["deep XML", new TextEncoder().encode(`<nvidia_smi_log>${"<a>".repeat(50_000)}${"</a>".repeat(50_000)}</nvidia_smi_log>`)],
    [
      "an entity bomb",
      new TextEncoder().encode('<?xml version="1.0"?><!DOCTYPE nvidia_smi_log [<!ENTITY a "b">]><nvidia_smi_log>&a;</nvidia_smi_log>'),
    ],
    [
      "a foreign DTD",
      new TextEncoder().encode('<!DOCTYPE nvidia_smi_log SYSTEM "http://example.invalid/x.dtd"><nvidia_smi_log></nvidia_smi_log>'),
    ],
  ])("%s is refused by every parser", (_name, bytes) => {
    for (const parser of names) {
      const reading = PARSERS[parser](bytes);
      const judged = judgeReading(reading, { every: "x" }, null, null, { gpus: 8, lines: 8 }).judged;
      expect(judged.verdict, parser).not.toBe("pass");
      expect(judged.because.length, parser).toBeLessThan(4000);
    }
  });
});

test("property: a reading with any problem, or that is not whole, is never judged pass", () => {
  const clean = PARSERS["nccl-tests"](FILES.find(({ file }) => file === "nccl_ok_v2.19.txt")?.bytes ?? new Uint8Array());
  expect(judgeReading(clean, null, null, null, { gpus: 16 }).judged.verdict).toBe("pass");
  const spoil = fc.oneof(
    fc
      .record({
        reason: fc.constantFrom("no_data", "sentinel", "warned", "truncated" as const),
        entity: fc.option(fc.string()),
        because: fc.string(),
      })
      .map((problem) => ({ ...clean, problems: [problem] })),
    fc.constantFrom("partial", "did_not_run", "not_this_format" as const).map((understood) => ({ ...clean, understood })),
    fc.constant({ ...clean, wrongValues: null }),
    fc.constant({ ...clean, conditions: {} }),
    fc
      .constantFrom("unresolved", "fail" as const)
      .map((says) => ({ ...clean, statements: [{ test: "t", entity: "e", says, because: "b" }] })),
  );
  fc.assert(
    fc.property(
      spoil,
      fc.option(fc.constant({ every: "x" })),
      (reading, expected) => judgeReading(reading, expected, null, null, { gpus: 16 }).judged.verdict !== "pass",
    ),
    { numRuns: 300 },
  );
});
