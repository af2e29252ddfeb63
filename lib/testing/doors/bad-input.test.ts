import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aNewCheck } from "@/lib/testing/store-contract-moves";
import { commitMoves } from "@/lib/testing/store-contract-record";
import { openDoors, type DoorSite } from "./door-site";
import { HOSTILE } from "./hostile";

let site: DoorSite;
let check = "";
beforeAll(async () => {
  site = await openDoors();
  const made = aNewCheck({ gate: "spot_validation", scope: "change" });
  check = made.id;
  await commitMoves(site.record, [{ move: "check", check: made }]);
}, 120_000);
afterAll(() => site.close());

// Whatever was sent: the record holds what it held, and nothing broke.
let before = "";
beforeEach(async () => {
  before = await site.contents();
});
afterEach(async () => {
  expect(await site.contents()).toBe(before);
  expect(site.broken).toEqual([]);
});

const bytes = (...all: number[]): Uint8Array => new Uint8Array(all);
/** Half a surrogate cannot be sent as UTF-8 at all. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "?");
const chunks = (size: number, count: number): ReadableStream<Uint8Array> => {
  let left = count;
  return new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(new Uint8Array(size).fill(32)) : to.close()) });
};
const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
  .split("")
  .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]`)
  .join("\n")}\n`;

describe.each([
  ["/changes", "AK"],
  ["/acceptance-jobs", "LT"],
] as const)("POST %s", (path, who) => {
  test.each<readonly [string, string | Uint8Array, number, RegExp]>([
    ["nothing", "", 422, /empty/],
    ["white space", " \n\t\n", 422, /empty/],
    ["more than 256 KiB", "#".repeat(256 * 1024 + 1), 413, /At most 262,144 bytes/],
    ["exactly 256 KiB", "#".repeat(256 * 1024), 422, /empty|map/],
    ["a cut character", bytes(0x74, 0x3a, 0x20, 0xe2, 0x82), 422, /not UTF-8/],
    ["Latin-1", bytes(0x74, 0x3a, 0x20, 0xe9), 422, /not UTF-8/],
    ["UTF-16", new Uint8Array(Buffer.from("\ufefftitle: x", "utf16le")), 422, /not UTF-8|U\+0000/],
    ["an alias bomb", BOMB, 422, /more than 20000 values/],
    ["brackets without end", "[".repeat(100_000), 422, /line 1.*deeper than 32/],
    ["a quote without end", 'title: "x', 422, /line 1/],
    ["a tag that makes something", "title: !!js/function 'function(){}'", 422, /tag/],
    ["a name twice", "title: a\ntitle: b", 422, /line 2.*twice/],
    [
      "names from the prototype",
      "__proto__: {x: 1}\nconstructor: 1\ntoString: 1",
      422,
      /line 1.*__proto__.*not known[\s\S]*line 2[\s\S]*line 3/,
    ],
    ["1e400 where a number belongs", "batchSize: 1e400\nversion: 1e400", 422, /1e400|not known/],
    ["an HTML page", "<!doctype html><p>x</p>", 422, /line 1/],
    ["JSON cut in the middle", '{"title": "x", "ta', 422, /line 1/],
  ])("%s", async (_what, body, status, says) => {
    const told = await site.ask(who, "POST", path, { body });
    expect([told.status, told.text]).toEqual([status, expect.stringMatching(says)]);
    expect(told.headers.get("content-type")).toBe("application/problem+json");
    expect(told.text.length).toBeLessThan(20_000);
  });

  test.each(Object.entries(HOSTILE))("%s as a title, a name and a whole document", async (_what, text) => {
    for (const body of [`title: ${JSON.stringify(text)}\nname: ${JSON.stringify(text)}\n`, wellFormed(text)]) {
      const told = await site.ask(who, "POST", path, { body });
      expect([told.status, told.body["code"]]).toEqual([422, "invalid"]);
      expect(told.body["places"]).toEqual(expect.arrayContaining([expect.stringMatching(/^line \d+, /)]));
      expect(told.text.length).toBeLessThan(20_000);
    }
  });

  test("a body without end is refused while it is still arriving", async () => {
    expect((await site.ask(who, "POST", path, { body: chunks(64 * 1024, 1_000_000) })).status).toBe(413);
    expect((await site.ask(who, "POST", path, { body: "x", headers: { "content-length": "999999999999" } })).status).toBe(413);
  });
});

describe("actions", () => {
  const act = (body: string | Uint8Array, action = "run-preflight") => site.ask("AK", "POST", `/changes/CH-1/actions/${action}`, { body });

  test.each<readonly [string, string | Uint8Array, number, RegExp]>([
    ["not JSON", "{", 400, /not JSON/],
    ["YAML", "reason: x", 400, /not JSON/],
    ["not UTF-8", bytes(0x22, 0xff, 0x22), 400, /not UTF-8/],
    ["deep", `{"reason":${"[".repeat(50_000)}`, 400, /deeper than 32 levels at character/],
    ["large", `{"reason":"${"x".repeat(600_000)}"}`, 413, /At most 524,288/],
    ["a list", "[]", 422, /the body: must be a map/],
    ["a word", '"x"', 422, /the body: must be a map/],
    ["null", "null", 422, /the body: must be a map/],
    ["1e400", '{"version":1e400}', 422, /version: /],
    ["a version below zero", '{"version":-1}', 422, /version: /],
    ["an unknown field", '{"surprise":1}', 422, /surprise/],
    ["the prototype", '{"__proto__":{"version":0}}', 422, /__proto__/],
    ["another action than the address says", '{"action":"withdraw","reason":"so there"}', 422, /action: the address says run-preflight/],
    ["an unknown field with a very long name", JSON.stringify({ ["x".repeat(300_000)]: 1 }), 422, /Unrecognized/],
  ])("%s as a body", async (_what, body, status, says) => {
    const told = await act(body);
    expect([told.status, told.text]).toEqual([status, expect.stringMatching(says)]);
    expect(told.text.length).toBeLessThan(2_000);
  });

  test.each(["NUL", "ANSI", "right to left", "half a surrogate", "very long"])("%s as a reason is refused at its place", async (name) => {
    const body = JSON.stringify({ reason: HOSTILE[name] });
    expect((await act(body, "pause")).body).toMatchObject({ status: 422, places: [expect.stringMatching(/^reason: /)] });
    expect((await site.ask("AK", "POST", "/clusters/sim-h100/actions/stop-all", { body })).body).toMatchObject({
      status: 422,
      places: [expect.stringMatching(/^reason: /)],
    });
  });

  test("an unknown field of a cluster's action is named", async () => {
    const told = await site.ask("AK", "POST", "/clusters/sim-h100/actions/stop-all", { body: '{"reason":"fire drill","force":true}' });
    expect(told.body).toMatchObject({ status: 422, places: [expect.stringContaining("force")] });
  });
});

describe("addresses and query strings", () => {
  test.each(Object.entries(HOSTILE))("%s", async (_what, text) => {
    const quoted = encodeURIComponent(wellFormed(text));
    for (const path of [`/changes?cluster=${quoted}`, `/nodes?cluster=${quoted}`, `/changes?${quoted}=1`]) {
      const told = await site.ask("RB", "GET", path);
      const harmless = told.status === 200 && told.text === '{"changes":[]}';
      expect(harmless || told.status === 400 || told.status === 404, `${path.slice(0, 80)}: ${told.status}`).toBe(true);
    }
    for (const path of [`/changes/${quoted}`, `/changes/${quoted}/audit`, `/changes/${quoted}/preview`, `/evidence/${quoted}`])
      expect((await site.ask("RB", "GET", path)).status, path.slice(0, 80)).toBe(404);
    for (const path of [`/changes/${quoted}/actions/pause`, `/changes/CH-1/actions/${quoted}`, `/clusters/${quoted}/actions/stop-all`])
      expect((await site.ask("AK", "POST", path, { body: '{"reason":"fire drill"}' })).status, path.slice(0, 80)).toBe(404);
  });

  test.each([
    ["/changes?open=maybe", /true or false/],
    ["/changes?open=true&open=false", /\?open: stands twice/],
    ["/changes?opne=true", /\?opne: is not known here; known: cluster, open/],
    ["/changes?cluster=%00", /\?cluster: the character U\+0000/],
    ["/changes?cluster=%ED%A0%80", /\?cluster: the character U\+FFFD/],
    [`/changes?cluster=${"x".repeat(513)}`, /\?cluster: longer than 512/],
    ["/openapi.json?x", /\?x: is not known here/],
  ])("%s is refused at its place", async (path, says) => {
    const told = await site.ask("RB", "GET", path);
    expect([told.status, told.text]).toEqual([400, expect.stringMatching(says)]);
  });
});

describe("evidence", () => {
  const give = (query: string, body: string | Uint8Array | ReadableStream<Uint8Array>) =>
    site.ask("AK", "POST", `/changes/CH-1/evidence?${query}`, { body });
  const named = () => `check=${encodeURIComponent(check)}`;

  test("nothing, too much, for no check, at no instant: each is said", async () => {
    expect((await give(named(), "")).body).toMatchObject({ status: 422, places: ["the body: no bytes"] });
    expect((await give(named(), chunks(1024 * 1024, 1000))).status).toBe(413);
    expect((await give("parser=text", "x")).body).toMatchObject({ status: 422, places: ["check: the id of a check"] });
    expect((await give("check=none", "x")).status).toBe(404);
    for (const when of ["yesterday", "2026", "1", "2026-12-08T23:51", "1e400", "2026-13-40T00:00:00Z"])
      expect((await give(`${named()}&at=${when}`, "x")).body, when).toMatchObject({
        status: 422,
        places: [expect.stringMatching(/^at: /)],
      });
  });
});

test("who may not bring evidence fills no disk with it", async () => {
  before = "";
  const count = () => site.record.sql("select count(*)::int as n from evidence");
  const stored = await count();
  const told = await site.ask("RB", "POST", `/changes/CH-1/evidence?check=${encodeURIComponent(check)}`, { body: "x".repeat(1_000_000) });
  expect([told.status, told.body["code"]], told.text).toEqual([403, "not_allowed"]);
  expect(await count()).toEqual(stored);
  before = await site.contents();
});
