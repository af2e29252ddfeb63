import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPlan } from "./read-plan";
import { aSmallPlan } from "./samples/a-small-plan";

const SAMPLE = readFileSync(new URL("./samples/gpu-driver.yaml", import.meta.url), "utf8");
const saidOf = (text: string): string[] => {
  const plan = readPlan(text);
  return plan.ok ? [] : plan.error.map((p) => `${p.line}:${p.column} ${p.path}: ${p.text}`);
};

describe("readPlan refuses, with line, path and reason:", () => {
  it.each<[string, Record<string, string | null>, RegExp]>([
    ["an unknown name", { batchsize: "4" }, /^6:1 batchsize: "batchsize" is not known here\. Did you mean batchSize\?$/],
    ["an unknown name inside", { drain: "{deadlin: 2h}" }, /^6:9 drain\.deadlin: .*Did you mean deadline/],
    ["a name twice", { "title ": "x" }, /"title" stands here twice/],
    ["another apiVersion", { apiVersion: "clearance/v2" }, /must be clearance\/v1/],
    ["a type that nobody knows", { type: "gpu-driver" }, /Did you mean gpu_driver/],
    [
      "a floating version (case 15)",
      { target: "{nodes: gpu1, driver: latest}" },
      /^5:31 target\.driver: "latest" is a floating version, not an approved pin/,
    ],
    ["a half version", { target: "{nodes: gpu1, driver: 570.x}" }, /floating version/],
    ["the version under another type's name", { target: "{nodes: gpu1, firmware: 1.2}" }, /names its version as target\.driver/],
    ["no nodes", { target: "{driver: 570.1}" }, /needs nodes/],
    ["nodes and a selector", { target: "{nodes: a, selector: {class: c}, driver: 570.1}" }, /keep one/],
    ["a broken host list", { target: "{nodes: 'gpu[1-', driver: 570.1}" }, /host list/],
    ["a huge host list", { target: "{nodes: 'gpu[1-9999999]', driver: 570.1}" }, /more than 100000/],
    ["a number as duration", { interBatchDelay: "5" }, /such as 90s, 5m or 2h30m/],
    ["a batch of nothing", { batchSize: "0" }, /from 1 to/],
    ["a relaxed leaf rule without reason", { leafRule: "{apply: false}" }, /because is missing/],
    ["canaries named and none wanted", { canaries: "{perClass: 0, nodes: [gpu1]}" }, /perClass is 0/],
    ["more than everything out", { maxUnavailable: "101%" }, /percentage/],
    ["group size without group", { validate: "[{name: n, run: r, groupSize: 2}]" }, /belongs to scope: group/],
    ["a change check without gate", { validate: "[{name: n, run: r, scope: change}]" }, /gate is missing/],
    ["a parser that nobody has", { validate: "[{name: n, run: r, parser: nccl-test}]" }, /Did you mean nccl-tests/],
    ["a limit that is none", { validate: "[{name: n, run: r, baseline: {busbw: 90%}}]" }, /must be a limit such as/],
    ["two names alike", { validate: "[{name: n, run: r}, {name: n, run: s}]" }, /two entries named "n"/],
    ["a query without node", { telemetry: "[{name: n, query: up, expect: 1}]" }, /must contain \{node\}/],
    ["telemetry without expectation", { telemetry: "[{name: n, query: 'up{a=\"{node}\"}'}]" }, /expect is missing/],
    ["a tested rollback without command", { rollback: "{components: [{name: d, capability: tested}]}" }, /needs its command/],
    [
      "a command where nothing can go back",
      { rollback: "{components: [{name: d, capability: impossible, run: x}]}" },
      /nothing is ever sent/,
    ],
    ["a job without version", { acceptance: "{job: nccl-h100}" }, /such as nccl-h100@3/],
    ["an image plan without osDisk", { type: "vmss_image", target: "{nodes: a, image: {galleryVersionId: x}}" }, /osDisk is missing/],
    [
      "a gallery image without version",
      { type: "vmss_image", target: "{nodes: a, image: {galleryVersionId: /s/galleries/g/images/i}}" },
      /one gallery image version/,
    ],
    [
      "image version latest (S1)",
      { type: "vmss_image", target: "{nodes: a, image: {publisher: p, offer: o, sku: s, version: latest}}" },
      /floating version/,
    ],
    [
      "an image without SKU (S1)",
      { type: "vmss_image", target: "{nodes: a, image: {publisher: p, offer: o, sku: , version: 1.2.3}}" },
      /sku is missing/,
    ],
    [
      "leafRule off for fabric work (R5.6)",
      { type: "ib_hca_firmware", target: "{nodes: a, firmware: 1.2}", leafRule: "{apply: false, because: x}" },
      /always keeps the leaf rule/,
    ],
    ["an emergency without criterion", { urgency: "emergency" }, /criterion is missing/],
    ["a tag", { title: "!!js/function x" }, /The tag .* is not read here/],
    ["invisible direction marks", { title: '"a\u202eb"' }, /U\+202E/],
    ["an escaped NUL", { title: '"a\\0b"' }, /U\+0000/],
    ["undecodable bytes", { title: "a\ufffdb" }, /Save the file as UTF-8/],
  ])("%s", (_, lines, expected) => {
    expect(saidOf(aSmallPlan(lines)).join("\n")).toMatch(new RegExp(expected.source, "m"));
  });

  it.each([
    ["nothing", "", /empty/],
    ["a list", "- a\n", /A plan is a map/],
    ["two documents", `${aSmallPlan()}---\n${aSmallPlan()}`, /Not valid YAML/],
    ["too much", `title: ${"x".repeat(256 * 1024)}`, /Longer than 256 KiB/],
    [
      "an alias bomb",
      `a: &a [${"x,".repeat(100)}]\n${"bcdefg"
        .split("")
        .map((k, i) => `${k}: &${k} [${`*${"abcdef".charAt(i)},`.repeat(50)}]`)
        .join("\n")}\n`,
      /values once its aliases/,
    ],
    ["an alias to itself", "title: &a [*a]\n", /Nested deeper|Not valid|aliases|must be/],
    ["deep flow", `title: ${"[".repeat(100_000)}`, /Nested deeper/],
    ["deep block", `${"- ".repeat(100_000)}x`, /Nested deeper/],
    ["forty levels", `title: ${"[".repeat(40)}${"]".repeat(40)}`, /Nested deeper than 32/],
    ["broken YAML", "title: [a\ncluster: b", /^\d+:\d+ : Not valid YAML/],
  ])("%s as a whole document", { timeout: 60_000 }, (_, text, expected) => {
    expect(saidOf(text).join("\n")).toMatch(expected);
  });

  it("names every fault at once, in the order of lines", () => {
    const lines = saidOf(aSmallPlan({ title: null, batchSize: "x", advance: "y", foo: "z" })).map((s) => Number(s.split(":")[0]));
    expect(lines.length).toBe(4);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });

  it("does not hang on many keys", { timeout: 60_000 }, () => {
    const many = Array.from({ length: 30_000 }, (_, i) => `k${i}: `).join("\n");
    expect(saidOf(many).length).toBeGreaterThan(0);
  });

  it("never throws, and never reads a plan that was cut inside its first lines", { timeout: 60_000 }, () => {
    for (let end = 0; end < SAMPLE.length; end += 7) {
      const plan = readPlan(SAMPLE.slice(0, end));
      if (end < SAMPLE.indexOf("driver: 570")) expect(plan.ok).toBe(false);
    }
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => !readPlan(text).ok));
    const piece = fc.constantFrom("a", ":", " ", "\n", "-", "[", "]", "{", "}", "&x", "*x", "!", "|", '"', "'", "title", "#", ",", "?");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => !readPlan(pieces.join("")).ok),
      { numRuns: 500 },
    );
  });
});
