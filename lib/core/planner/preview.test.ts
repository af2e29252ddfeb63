import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InventoryNode } from "@/lib/core/node/inventory-node";
import { aPlan } from "@/lib/testing/a-plan";
import { previewPlan } from "./preview";

const nodes = (count: number, perLeaf: number, overrides: (i: number) => object = () => ({})): InventoryNode[] =>
  Array.from({ length: count }, (_, i) =>
    InventoryNode.parse({
      name: `gpu${String(i + 1).padStart(3, "0")}`,
      role: "compute",
      partitions: ["train"],
      leaves: [`leaf${String(Math.floor(i / perLeaf) + 1).padStart(2, "0")}`],
      serverModel: "DGX",
      accelerator: { model: "h100", count: 8 },
      hca: { model: "cx7", count: 8 },
      environment: "ubuntu22",
      managedBy: "slurm",
      state: "idle",
      ...overrides(i),
    }),
  );
const target = (overrides: object) => ({ target: { ...aPlan().target, ...overrides } });
const codesOf = (list: readonly { code: string }[]): string[] => list.map((one) => one.code);

describe("previewPlan", () => {
  it("lays out who is in which batch, with GPUs, mode, class and way back", () => {
    const { layout, batches } = previewPlan({ plan: aPlan(), inventory: nodes(24, 3), onGoal: new Set(["gpu002"]) });
    expect(layout.batches).toHaveLength(3);
    expect(layout.batches[0]?.nodes[0]).toEqual({
      name: "gpu001",
      canary: true,
      mode: "update",
      class: "h100-8/cx7-8/ubuntu22",
      leaves: ["leaf01"],
      gpus: 8,
      rollback: "tested",
    });
    expect(layout.batches.flatMap((b) => b.nodes.filter((n) => n.mode === "validate_only").map((n) => n.name))).toEqual(["gpu002"]);
    expect(batches[0]).toMatchObject({ index: 1, gpusOut: 32, percentOut: (100 * 4) / 24 });
  });

  it.each([
    ["partition", { partition: "a" }, ["gpu001", "gpu002"]],
    ["class", { class: "h100-8/cx7-8/rocky9" }, ["gpu003"]],
    ["scale set", { scaleSet: "set1" }, ["gpu004"]],
    ["partition and class", { partition: "a", class: "h100-8/cx7-8/rocky9" }, []],
  ])("selects by %s", (_, selector, names) => {
    const inventory = nodes(8, 1, (i) => ({
      partitions: i < 2 ? ["a"] : ["b"],
      environment: i === 2 ? "rocky9" : "ubuntu22",
      ...(i === 3 ? { scaleSet: "set1" } : {}),
    }));
    const { layout } = previewPlan({ plan: aPlan(target({ nodes: null, selector })), inventory });
    expect(layout.batches.flatMap((b) => b.nodes.map((n) => n.name)).sort()).toEqual(names);
    expect(codesOf(layout.conflicts)).toEqual(names.length === 0 ? ["nothing_to_plan"] : []);
  });

  it("takes the record's class labels where they are given (a split)", () => {
    const inventory = nodes(12, 1);
    const classes = new Map(inventory.map((n, i) => [n.name, i < 6 ? "class A" : "class B"]));
    const { layout } = previewPlan({ plan: aPlan(), inventory, classes });
    expect(new Set(layout.batches.flatMap((b) => b.nodes.map((n) => n.class)))).toEqual(new Set(["class A", "class B"]));
    expect(layout.batches.flatMap((b) => b.nodes.filter((n) => n.canary).map((n) => n.name))).toEqual(["gpu001", "gpu007"]);
  });

  it("calls a node without leaves unknown where others have them, and asks for a topology where none has (R5.6)", () => {
    const some = previewPlan({ plan: aPlan(), inventory: nodes(12, 1, (i) => (i === 4 ? { leaves: undefined } : {})) });
    expect(some.layout.notPlanned).toEqual([{ name: "gpu005", because: expect.stringContaining("leaf unknown") as string }]);
    const none = previewPlan({ plan: aPlan(), inventory: nodes(12, 1, () => ({ leaves: undefined })) });
    expect(codesOf(none.layout.conflicts)).toEqual(["topology_required"]);
    const relaxed = previewPlan({
      plan: aPlan({ leafRule: { apply: false, because: "one switch" } }),
      inventory: nodes(12, 1, () => ({ leaves: undefined })),
    });
    expect(codesOf(relaxed.layout.findings)).toContain("no_leaf_rule");
    expect(relaxed.layout.batches).toHaveLength(3);
  });

  it("names every finding that the approver must accept", () => {
    const plan = aPlan({
      type: "vmss_image",
      rollback: [{ name: "image", capability: "impossible", run: null, on: "node", timeoutMs: 1 }],
      osDisk: { lost: ["/var/log"], rebuiltBy: null },
      validate: [],
      telemetry: [],
      canaries: { perClass: 0, nodes: [] },
      persistence: { kind: "none", observe: null },
      windows: [],
    });
    const { layout } = previewPlan({ plan, inventory: nodes(48, 3) });
    expect(codesOf(layout.findings)).toEqual([
      "rollback_impossible",
      "persistence_none",
      "os_disk_lost",
      "validation_missing",
      "no_canary",
    ]);
    expect(layout.batches[0]?.nodes[0]?.rollback).toBe("impossible");
    expect(codesOf(previewPlan({ plan, inventory: nodes(48, 3), disposable: false }).layout.conflicts)).toEqual(["canary_required"]);
  });

  it("says a quarter exactly is not above a quarter (R6.4)", () => {
    const quarter = (count: number): string[] =>
      codesOf(previewPlan({ plan: aPlan(target({ nodes: "gpu[001-012]" })), inventory: nodes(count, 1) }).layout.findings);
    expect(quarter(16)).toEqual([]);
    expect(quarter(15)).toEqual(["quarter_of_class", "quarter_of_partition"]);
  });

  it("takes switches one at a time, each with the GPUs behind it: 8 leaves, 4 h (R10.1)", () => {
    const plan = aPlan({ type: "ib_switch_firmware", ...target({ nodes: "leaf[01-08]" }), interBatchDelayMs: 0 });
    const preview = previewPlan({ plan, inventory: nodes(64, 8) });
    expect(preview.batches.map((b) => [b.nodes.length, b.gpusOut, b.percentOut])).toEqual(Array.from({ length: 8 }, () => [1, 64, 12.5]));
    expect(preview.durations.total).toEqual({ minMinutes: 240, maxMinutes: 240 });
    expect(
      codesOf(previewPlan({ plan: { ...plan, ...target({ nodes: "leaf[01-09]" }) }, inventory: nodes(64, 8) }).layout.conflicts),
    ).toEqual(["unknown_nodes"]);
  });

  it("is the same for any order of the inventory, and loses no node it names", { timeout: 60_000 }, () => {
    const world = nodes(40, 5, (i) => ({ environment: i % 3 === 0 ? "a" : "b", role: i === 7 ? "login" : "compute" }));
    const plan = aPlan(target({ nodes: "gpu[001-040]" }));
    const expected = JSON.stringify(previewPlan({ plan, inventory: world }));
    fc.assert(
      fc.property(fc.shuffledSubarray(world, { minLength: 40 }), (inventory) => {
        const preview = previewPlan({ plan, inventory });
        const named = [...preview.layout.batches.flatMap((b) => b.nodes), ...preview.layout.notPlanned].map((n) => n.name);
        return JSON.stringify(preview) === expected && named.length === 40 && new Set(named).size === 40;
      }),
      { numRuns: 30 },
    );
  });
});
