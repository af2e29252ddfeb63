import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Sha256 } from "@/lib/core/kernel/ids";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { verifyChain, type ChainEvent } from "./verify";

const sha = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex") as Sha256;
const HASH = { text: sha, bytes: sha };

function chainOf(chain: string, bodies: readonly Record<string, string | null>[]): ChainEvent[] {
  let prevHash: string = sha(chain);
  return bodies.map((rows, at) => {
    const body = canonicalJson({ seq: at + 1, because: "Grüße, “quoted” 🔧 \u2028", rows });
    const hash = sha(Buffer.concat([Buffer.from(prevHash, "hex"), Buffer.from(body, "utf8")]));
    const event = { chain, seq: at + 1, action: `step.${at + 1}`, body, prevHash, hash };
    prevHash = hash;
    return event;
  });
}

const events = chainOf("CH-1", [{ "targets/a": "11" }, { "targets/a": "22", "evidence/e": "33" }, {}]);
const rows = new Map<string, string | null>([
  ["targets/a", "22"],
  ["evidence/e", "33"],
]);

describe("the audit chain (R12.3)", () => {
  it("holds when every link and every row's newest hash holds; an older line speaks of an older state", () =>
    expect(verifyChain("CH-1", events, rows, HASH)).toEqual({ chain: "CH-1", intact: true, events: 3, rows: 2, broken: null }));

  it.each([
    [
      "a body with one letter changed",
      events.map((e) => (e.seq === 2 ? { ...e, body: e.body.replace("Grüße", "Grüsse") } : e)),
      2,
      "changed after it was written",
    ],
    ["a line taken out", events.filter((e) => e.seq !== 2), 2, "entry 2 is missing"],
    [
      "the last two lines swapped in their links",
      events.map((e) => (e.seq === 3 ? { ...e, prevHash: events[0]?.hash ?? "" } : e)),
      3,
      "does not follow",
    ],
    ["a chain that begins in the middle", events.slice(1), 1, "entry 1 is missing"],
    ["another chain's lines under this name", chainOf("CH-2", [{}]).map((e) => ({ ...e, chain: "CH-1" })), 1, "does not follow"],
    ["no line at all", [], 1, "no first entry"],
  ])("names the first broken entry: %s", (_case, given, seq, what) => {
    const { intact, broken } = verifyChain("CH-1", given, rows, HASH);
    expect({ intact, seq: broken?.seq }).toEqual({ intact: false, seq });
    expect(broken?.what).toContain(what);
  });

  it("names a row that was changed, and one that is gone, with the line that wrote it", () => {
    const changed = new Map(rows).set("evidence/e", "34");
    expect(verifyChain("CH-1", events, changed, HASH).broken).toEqual({
      seq: 2,
      what: "evidence/e, written with entry 2, was changed since",
    });
    const gone = new Map(rows).set("targets/a", null);
    expect(verifyChain("CH-1", events, gone, HASH).broken).toEqual({ seq: 2, what: "targets/a, written with entry 2, is gone" });
  });
});
