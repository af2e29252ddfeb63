import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PARSERS } from "@/lib/parsers/parsers";
import { aNewCheck } from "@/lib/testing/store-contract-moves";
import { commitMoves } from "@/lib/testing/store-contract-record";
import { openDoors, type DoorSite } from "./door-site";
import { HOSTILE } from "./hostile";

const MIB = 1024 * 1024;
const SAMPLES = "lib/parsers/samples";
let site: DoorSite;
let nth = 0;
beforeAll(async () => {
  site = await openDoors();
}, 180_000);
afterAll(() => site.close());

async function give(parser: string, body: string | Uint8Array) {
  nth += 1;
  // Nothing is expected of it and no number of GPUs is known: whatever does not pass here passes nowhere.
  const spec = {
    kind: "command",
    run: "x",
    on: "node",
    parser: null,
    expect: null,
    baseline: null,
    groupSize: null,
    timeoutMs: 1,
    gpus: null,
  } as const;
  const check = aNewCheck({
    spec,
    gate: "spot_validation",
    scope: "change",
    id: `CH-1/spot_validation/change/1/brought ${nth}` as never,
    name: `brought ${nth}`,
  });
  await commitMoves(site.record, [{ move: "check", check }]);
  return await site.ask("AK", "POST", `/changes/CH-1/evidence?check=${encodeURIComponent(check.id)}&parser=${parser}`, { body });
}

const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const GARBAGE: Readonly<Record<string, string | Uint8Array>> = {
  "random bytes": randomBytes(64 * 1024),
  "a gzip of a good output": gzipSync(readFileSync(`${SAMPLES}/nccl_ok_v2.19.txt`)),
  "UTF-16": Uint8Array.from(Buffer.from("\ufeffindex, name\n0, x\n", "utf16le")),
  "invalid UTF-8": Uint8Array.from([0xc3, 0x28, 0xa0, 0xa1, 0xe2, 0x28, 0xa1]),
  "brackets a hundred thousand deep": deep,
  "XML a hundred thousand deep": "<gpu>".repeat(100_000),
  "an XML entity bomb":
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><nvidia_smi_log>&b;</nvidia_smi_log>',
  "an XML entity that names a file":
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><nvidia_smi_log>&a;</nvidia_smi_log>',
  "JSON names from the prototype": '{"__proto__":{"DCGM Diagnostic":{}},"constructor":{"prototype":{}}}',
  "JSON of null": "null",
  "JSON of numbers beyond numbers": '{"DCGM Diagnostic":1e999}',
  "a million commas": ",".repeat(1_000_000),
  "one line of 8 MiB": "7".repeat(8 * MIB),
  "half a million lines": "0, 570.172.08\n".repeat(500_000),
  "an error page": "<!doctype html><title>502</title><p>Bad Gateway</p>",
  "a shell's complaint": "bash: nvidia-smi: command not found\n",
  ...HOSTILE,
};

test.each(Object.keys(PARSERS).flatMap((parser) => Object.keys(GARBAGE).map((name) => [parser, name] as const)))(
  "%s: %s is kept and never passes",
  async (parser, name) => {
    const body = GARBAGE[name] ?? "";
    const told = await give(parser, typeof body === "string" ? body.replace(/\p{Cs}/gu, "?") : body);
    expect(told.status, told.text.slice(0, 500)).toBe(201);
    expect(["fail", "unresolved"]).toContain(told.body["verdict"]);
    expect(told.text.length).toBeLessThan(20_000);
    expect(site.broken).toEqual([]);
  },
);

test("a good output of another tool never passes as this one's", async () => {
  const samples = readdirSync(SAMPLES).filter((file) => /_ok_|_pass|query_gpu/.test(file));
  expect(samples.length).toBeGreaterThan(5);
  for (const file of samples) {
    const own = file.startsWith("nccl") ? "nccl-tests" : file.startsWith("dcgm_v") ? "dcgm-diag" : "nvidia-smi";
    for (const parser of Object.keys(PARSERS).filter((one) => one !== own)) {
      const told = await give(parser, readFileSync(`${SAMPLES}/${file}`));
      expect([told.status, told.body["verdict"]], `${file} as ${parser}`).not.toEqual([201, "pass"]);
    }
  }
}, 120_000);

test("exactly 16 MiB are taken and kept whole, one byte more is refused and leaves nothing", async () => {
  const most = new Uint8Array(16 * MIB).fill(0x61);
  const taken = await give("text", most);
  expect([taken.status, taken.body["verdict"]], taken.text.slice(0, 300)).toEqual([201, "unresolved"]);
  const raw = await site.ask("RB", "GET", `/evidence/${String(taken.body["sha256"])}`);
  expect([raw.status, raw.text.length]).toEqual([200, 16 * MIB]);
  const kept = await site.record.sql("select count(*)::int as n from evidence");
  const refused = await give("text", new Uint8Array(16 * MIB + 1).fill(0x61));
  expect([refused.status, refused.text]).toEqual([413, expect.stringContaining("16,777,216")]);
  expect(await site.record.sql("select count(*)::int as n from evidence")).toEqual(kept);
}, 120_000);
