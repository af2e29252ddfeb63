import fc from "fast-check";
import { expect, it } from "vitest";
import { Policy } from "@/lib/core/change/policy";
import { STEP_TRAITS, type NodeStep } from "@/lib/core/change/step";
import { toChangeView } from "@/lib/core/change/view/to-change-view";
import { aCheck } from "@/lib/testing/a-check";
import { aHold } from "@/lib/testing/a-hold";
import { NOW } from "@/lib/testing/a-moment";
import { aBoard } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { handoffMarkdown } from "./handoff-markdown";
import { HandoffPage, handoffPage, type Around } from "./handoff-page";

const policy = Policy.parse({});
const reported = { gpu_driver: { text: "570.133.20", source: "ssh", at: "2026-12-01T00:00:00.000Z" } };
const around = (names: readonly string[]): Around => ({
  nodes: names.map((node) => ({ name: node, leaves: ["leaf01"], reported })),
  audit: { seq: 12, hash: "ab" },
});
const pageOf = (s: ReturnType<typeof aSnapshot>, more: readonly string[] = []) =>
  handoffPage(toChangeView(s, policy, NOW, []), around([...s.targets.map((one) => one.name), ...more]), NOW);

it("every planned node stands in one outcome and under one version, whatever their steps; others stay outside the totals (R8.6)", () => {
  const steps = fc.array(fc.constantFrom(...(Object.keys(STEP_TRAITS) as NodeStep[])), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(steps, fc.boolean(), (all, seen) => {
      const targets = all.map((step, i) => aTarget(i + 1, { step, board: seen ? aBoard() : null }));
      const page = pageOf(aSnapshot({ targets }), ["spare1", "spare2"]);
      expect(HandoffPage.parse(page)).toEqual(page);
      expect(Object.values(page.tally).reduce((a, b) => a + b)).toBe(all.length);
      expect(page.versions.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(all.length);
      for (const group of page.versions) expect(group.outcomes.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(group.nodes);
      expect(page.rows.map(({ node }) => node).sort()).toEqual(targets.map(({ name }) => name).sort());
      for (const row of page.rows) expect(row.outcome).toBe(STEP_TRAITS[targets.find(({ name }) => name === row.node)!.step].outcome);
      expect(page.notInPlan).toEqual({ nodes: 2, names: "spare[1-2]" });
    }),
    { numRuns: 60 },
  );
});

it("a read that counts no more is no version: the node is not known, never on the goal and never on what was read before (R1.4)", () => {
  const now = {
    ...aBoard().now,
    host_report: { verdict: "unknown", known: { is: "unknown", because: "before_reboot", last: [] }, wanted: "570.172.08" },
  };
  const board = { ...aBoard(), now } as ReturnType<typeof aBoard>;
  const page = pageOf(aSnapshot({ targets: [aTarget(1, { step: "validating", board }), aTarget(2, { step: "waiting", board: null })] }));
  expect(page.versions.map(({ version, names }) => [version, names])).toEqual([
    ["570.133.20", "gpu002"],
    [null, "gpu001"],
  ]);
  expect(page.rows.find(({ node }) => node === "gpu001")?.runs.because).toBe("it was read before the last reboot");
});

it("a node that nobody has ever read is not known", () => {
  const s = aSnapshot({ targets: [aTarget(1, { step: "waiting", board: null })] });
  const page = handoffPage(toChangeView(s, policy, NOW, []), { nodes: [], audit: null }, NOW);
  expect(page.versions).toMatchObject([{ version: null, nodes: 1 }]);
  expect(page.rows[0]?.runs).toEqual({ version: null, source: "", at: null, because: "never read" });
});

it("it says who investigates, what is next, what is closed and why, and who decides (S7)", () => {
  const targets = [aTarget(1, { step: "unresolved", because: "no series" }), aTarget(2, { batch: 2 })];
  const page = pageOf(aSnapshot({ targets, checks: [aCheck({ verdict: "unresolved" })], holds: [aHold()] }));
  expect(page.investigate).toMatchObject([{ node: "gpu001", outcome: "Unresolved", because: "no series", owner: null }]);
  expect(page.held).toBe(true);
  const start = page.mayNot.find(({ action, on }) => action === "start-batch" && on === "2");
  expect(start?.words).toBe("Start batch");
  expect(start?.because.join(" ")).toMatch(/gpu001|batch 1/i);
  expect(page.mayNot.every(({ because }) => because.length > 0)).toBe(true);
  expect(page.decisionOwner).not.toBeNull();
});

it("text from outside cannot become markup, a row or a line of the Markdown", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (evil) => {
      const because = `| ${evil} |\n# heading <img src=x onerror=alert(1)> [link](http://x) \`code\``;
      const targets = [aTarget(1, { step: "unresolved", because }), aTarget(2, { batch: 2 })];
      const markdown = handoffMarkdown(pageOf(aSnapshot({ targets })));
      const calm = handoffMarkdown(
        pageOf(aSnapshot({ targets: [aTarget(1, { step: "unresolved", because: "calm" }), aTarget(2, { batch: 2 })] })),
      );
      expect(markdown.split("\n")).toHaveLength(calm.split("\n").length);
      expect(markdown).not.toMatch(/(?<!\\)</);
      const row = markdown.split("\n").find((line) => line.startsWith("| gpu001")) ?? "";
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(9);
    }),
    { numRuns: 100 },
  );
});
