import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPlan } from "./read-plan";
import { aSmallPlan } from "./samples/a-small-plan";

const SAMPLE = readFileSync(new URL("./samples/gpu-driver.yaml", import.meta.url), "utf8");
const MINUTE = 60_000;

describe("readPlan", () => {
  it("reads the whole contract", () => {
    expect(readPlan(SAMPLE)).toMatchObject({
      ok: true,
      value: {
        ticket: "CHG0041234",
        target: { nodes: "gpu[001-128]", selector: null, version: "570.172.08", image: null },
        interBatchDelayMs: 5 * MINUTE,
        maxUnavailable: { percent: 10 },
        windows: [{ startsAt: "2026-12-08T21:00:00.000Z", endsAt: "2026-12-09T05:00:00.000Z", timezone: "Europe/Berlin" }],
        mixedUntil: "2026-12-16T05:00:00.000Z",
        drain: { deadlineMs: 120 * MINUTE, gracePeriodMs: 120_000, onDeadline: "ask" },
        update: [{ name: "install", on: "node", timeoutMs: 30 * MINUTE }],
        acceptance: [{ job: "nccl-h100", version: 3, baseline: "capture" }],
        validate: [
          { expect: { every: "570.172.08" }, parser: null, gate: "batches" },
          { parser: "dcgm-diag" },
          { scope: "group", groupSize: 2, baseline: { busbw: { above: { percentOfBaseline: 90 } } } },
          { scope: "change", gate: "fabric_validation", on: "node" },
          { scope: "change", gate: "spot_validation", on: "node" },
        ],
        telemetry: [{ expect: { notAbove: "before" }, seriesPerNode: 8, freshnessMs: MINUTE, settleMs: 5 * MINUTE }],
        rollback: [
          { name: "driver", capability: "tested", on: "node" },
          { name: "firmware", capability: "impossible", run: null },
        ],
      },
    });
  });

  it("fills in the defaults", () => {
    expect(readPlan(aSmallPlan())).toMatchObject({
      ok: true,
      value: {
        urgency: "planned",
        execution: "automatic",
        batchSize: 4,
        maxNodesPerLeaf: 1,
        leafRule: { apply: true },
        interBatchDelayMs: 5 * MINUTE,
        canaries: { perClass: 1, nodes: [] },
        advance: "manual",
        maxUnavailable: null,
        persistence: { kind: "none", observe: null },
        update: [
          { name: "built-in gpu_driver", on: "node", run: "/usr/local/sbin/clearance-update gpu_driver 570.10", timeoutMs: 30 * MINUTE },
        ],
        timeouts: { healthMs: 5 * MINUTE, updateMs: 30 * MINUTE, rebootMs: 30 * MINUTE, validateMs: 30 * MINUTE },
      },
    });
  });

  it.each([
    ["570.10", "570.10"],
    ['"570.10"', "570.10"],
    ["5.15", "5.15"],
    ["1_000", "1_000"],
    ["0x10", "0x10"],
    ["1e3", "1e3"],
  ])("takes the version %s as its author typed it (R1.4)", (typed, version) => {
    const plan = readPlan(aSmallPlan({ target: `{nodes: gpu1, driver: ${typed}}` }));
    expect(plan.ok ? plan.value.target.version : null).toBe(version);
  });

  it("gives firmware its own place, whatever the plan says of persistence (R1.6)", () => {
    const plan = readPlan(aSmallPlan({ type: "bmc_firmware", target: "{nodes: gpu1, firmware: 1.2}", persistence: "{kind: none}" }));
    expect(plan).toMatchObject({ ok: true, value: { persistence: { kind: "in_the_device" }, timeouts: { rebootMs: 45 * MINUTE } } });
  });

  it("reads an image plan, its proof and what its reimage loses", () => {
    const image =
      "{nodes: gpu1, image: {publisher: p, offer: o, sku: s, version: 24.09.02}, hostProof: {osRelease: '22.04', kernel: 5.15.0}}";
    const plan = readPlan(aSmallPlan({ type: "vmss_image", target: image, osDisk: "{lost: []}" }));
    expect(plan).toMatchObject({
      ok: true,
      value: { target: { version: null, image: { version: "24.09.02" }, hostProof: { osRelease: "22.04" } }, osDisk: { lost: [] } },
    });
  });

  it("reads an emergency and what makes it one", () => {
    const plan = readPlan(aSmallPlan({ urgency: "emergency", criterion: "{kind: cvss, score: 9.8}" }));
    expect(plan).toMatchObject({ ok: true, value: { criterion: { kind: "cvss", facts: { score: "9.8" } } } });
  });

  it.each([
    ["a number for canaries", { canaries: "2" }, { canaries: { perClass: 2, nodes: [] } }],
    ["a number of nodes out", { maxUnavailable: "12" }, { maxUnavailable: { nodes: 12 } }],
    [
      "a selector",
      { target: "{selector: {partition: train}, driver: 570.1}" },
      { target: { selector: { partition: "train" }, nodes: null } },
    ],
    ["a list of nodes", { target: "{nodes: [a1, 'b[1-2]'], driver: 570.1}" }, { target: { nodes: "a1,b[1-2]" } }],
    ["a bare expectation", { validate: "[{name: n, run: r, expect: 0}]" }, { validate: [{ expect: { equals: "0" } }] }],
    ["a limit as text", { validate: "[{name: n, run: r, expect: '>= 3'}]" }, { validate: [{ expect: { atLeast: { value: 3 } } }] }],
    ["aliases", { ticket: "&t CHG1", people: "{decisionOwner: *t}" }, { people: { decisionOwner: "CHG1" } }],
  ])("reads %s", (_, lines, value) => {
    expect(readPlan(aSmallPlan(lines))).toMatchObject({ ok: true, value });
  });
});
