import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClassId, LeafId } from "@/lib/core/kernel/ids";
import { planBatches } from "./plan-batches";
import type { PlanNode, PlannerInput, PlannerOutput } from "./planned";

const node = (name: string, leaves: readonly (number | string)[] | null, overrides: Partial<PlanNode> = {}): PlanNode => ({
  name,
  role: "compute",
  classId: 1 as ClassId,
  gpus: 8,
  attributes: "",
  partitions: [],
  onGoal: false,
  leaves:
    leaves === null
      ? null
      : leaves.map((id) => ({
          id: Number(String(id).replace("s", "")) as LeafId,
          fabric: String(id).startsWith("s") ? "storage" : "compute",
        })),
  ...overrides,
});
const rows = (count: number, perLeaf: number, overrides: (i: number) => Partial<PlanNode> = () => ({})): PlanNode[] =>
  Array.from({ length: count }, (_, i) => node(`n${String(i + 1).padStart(5, "0")}`, [Math.floor(i / perLeaf) + 1], overrides(i)));
const inputOf = (nodes: readonly PlanNode[], overrides: Partial<PlannerInput> = {}): PlannerInput => ({
  nodes,
  batchSize: 4,
  leafRule: { is: "applies", maxNodesPerLeaf: 1 },
  countsFabric: (fabric) => fabric === "compute",
  canaries: { perClass: 1, named: [] },
  ...overrides,
});
const planned = (nodes: readonly PlanNode[], overrides: Partial<PlannerInput> = {}): PlannerOutput => {
  const output = planBatches(inputOf(nodes, overrides));
  if (!output.ok) throw new Error(output.error.because);
  return output.value;
};
const sizesOf = (output: PlannerOutput): number[] => output.batches.map((batch) => batch.length);
const namesOf = (output: PlannerOutput): string[][] => output.batches.map((batch) => batch.map((n) => n.name));

describe("planBatches", () => {
  it("makes 16 batches of 4 from 64 nodes on 8 leaves, the canary first in batch 1 (S2)", () => {
    const output = planned(rows(64, 8));
    expect(sizesOf(output)).toEqual(Array.from({ length: 16 }, () => 4));
    expect(output).toMatchObject({
      lowerBound: 16,
      used: 16,
      canaries: ["n00001"],
      findings: [],
      size: { asked: 4, used: 4, because: null },
    });
    expect(output.batches[0]?.[0]).toEqual({ name: "n00001", canary: true, mode: "update" });
  });

  it("makes 32 batches from 128 nodes on 16 leaves, not 8 (S2)", () => expect(planned(rows(128, 8)).used).toBe(32));

  it("reduces size 9 to 8 because there are 8 leaves (S2)", () => {
    const output = planned(rows(64, 8), { batchSize: 9 });
    expect(output.size).toEqual({ asked: 9, used: 8, because: "8 leaves" });
    expect(output.findings).toMatchObject([{ code: "size_reduced", acceptedBy: "approver" }]);
  });

  it("names a node whose leaf is unknown and does not place it (R5.6)", () => {
    const output = planned([...rows(63, 8), node("n64", []), node("n65", ["s1"])]);
    expect(output.notPlanned).toEqual([
      { name: "n64", because: "leaf_unknown", role: "compute" },
      { name: "n65", because: "leaf_unknown", role: "compute" },
    ]);
    expect(namesOf(output).flat()).not.toContain("n64");
  });

  it("leaves every other role out, by name (R5.1)", () => {
    const output = planned([...rows(4, 1), node("login1", [1], { role: "login" }), node("sm1", null, { role: "subnet_manager" })]);
    expect(output.notPlanned.map((n) => `${n.name} ${n.because} ${n.role}`)).toEqual(["login1 role login", "sm1 role subnet_manager"]);
  });

  it("makes 15 batches of 8 and one of 7 after the first node of an emergency (S9)", () => {
    const output = planned(rows(128, 8), { batchSize: 8 });
    const afterCanary = output.batches.map((batch) => batch.filter((n) => !n.canary).length);
    expect(afterCanary).toEqual([7, ...Array.from({ length: 15 }, () => 8)]);
  });

  it("keeps two classes of 96 and 32 nodes apart where that costs no batch (R5.4)", () => {
    const nodes = rows(128, 8, (i) => ({ classId: (i < 96 ? 1 : 2) as ClassId }));
    const classOf = new Map(nodes.map((n) => [n.name, n.classId]));
    const output = planned(nodes);
    expect(output.used).toBe(32);
    expect(output.batches.filter((batch) => new Set(batch.map((n) => classOf.get(n.name))).size > 1)).toEqual([]);
    expect(output.canaries).toEqual(["n00001", "n00097"]);
    expect([output.batches[0]?.[0]?.name, output.batches[1]?.[0]?.name]).toEqual(["n00001", "n00097"]);
  });

  it("takes a rail-optimised rack as one group: two racks of 32 need 32 batches of 2, or 16 with 4 a leaf granted", () => {
    const rails = Array.from({ length: 64 }, (_, i) =>
      node(
        `r${i}`,
        [1, 2, 3, 4, 5, 6, 7, 8].map((leaf) => leaf + (i < 32 ? 0 : 8)),
      ),
    );
    expect(planned(rails)).toMatchObject({
      used: 32,
      disjoint: true,
      size: { used: 2, because: "2 groups of nodes that share their leaves" },
    });
    expect(planned(rails, { leafRule: { is: "applies", maxNodesPerLeaf: 4 } })).toMatchObject({
      used: 16,
      size: { used: 4, because: null },
    });
  });

  it("says both numbers where overlapping leaves keep it above the bound (R5.3)", () => {
    // Three nodes, each pair shares a leaf: no two may be out together, though no leaf carries more than two.
    const output = planned([node("a", [1, 2]), node("b", [2, 3]), node("c", [1, 3])], { batchSize: 1 });
    expect(output).toMatchObject({ disjoint: false, used: 3, lowerBound: 3 });
    const triangle = planned([node("a", [1, 2]), node("b", [2, 3]), node("c", [1, 3]), node("d", [4]), node("e", [4])], { batchSize: 2 });
    expect(triangle.used).toBe(3);
  });

  it("puts the canary where the plan names it, and the first of the most common kind elsewhere (R5.4)", () => {
    const nodes = rows(8, 1, (i) => ({ classId: (i < 4 ? 1 : 2) as ClassId, attributes: i === 4 ? "odd" : "usual" }));
    expect(planned(nodes, { canaries: { perClass: 1, named: ["n00003"] } }).canaries).toEqual(["n00003", "n00006"]);
    expect(planned(nodes, { canaries: { perClass: 2, named: [] } }).canaries).toHaveLength(4);
    expect(planned(nodes, { canaries: { perClass: 0, named: [] } }).canaries).toEqual([]);
  });

  it("validates only what already is on the target, and then its canary too (R5.7)", () => {
    const output = planned(rows(4, 1, () => ({ onGoal: true })));
    expect(output.batches[0]?.map((n) => `${n.mode} ${n.canary}`)).toEqual([
      "validate_only true",
      ...Array.from({ length: 3 }, () => "validate_only false"),
    ]);
    const mixed = planned(rows(4, 1, (i) => ({ onGoal: i === 0 })));
    expect(mixed.canaries).toEqual(["n00002"]);
  });

  it("makes a class of one node its own canary (R5.5)", () => {
    expect(planned([...rows(4, 1), node("x1", [9], { classId: 2 as ClassId })]).canaries).toEqual(["n00001", "x1"]);
  });

  it("asks for a topology where none is and the leaf rule is kept (R5.6), and plans without where it is switched off", () => {
    const bare = [node("a", null), node("b", null)];
    expect(planBatches(inputOf(bare))).toMatchObject({ ok: false, error: { code: "topology_required" } });
    const output = planned(bare, { leafRule: { is: "not_applicable", because: "one big switch" }, batchSize: 2 });
    expect(output.used).toBe(1);
    expect(output.findings).toMatchObject([{ code: "no_leaf_rule", acceptedBy: "approver" }]);
  });

  it("has nothing to plan without a compute node", () => {
    expect(planBatches(inputOf([node("l", [1], { role: "login" })]))).toMatchObject({ ok: false, error: { code: "nothing_to_plan" } });
  });

  it("takes switches strictly one at a time (R10.1)", () => {
    expect(planned(rows(8, 1), { leafRule: { is: "unit_is_the_switch" } })).toMatchObject({ used: 8, findings: [] });
  });

  it("plans 10,240 nodes on 1,280 leaves at once", { timeout: 60_000 }, () => {
    expect(planned(rows(10_240, 8)).used).toBe(2_560);
  });
});

const shuffled = (nodes: readonly PlanNode[], seed: number): PlanNode[] =>
  [...nodes].sort(
    (a, b) =>
      ((a.name.length * 31 + a.name.charCodeAt(a.name.length - 1)) ^ seed) -
      ((b.name.length * 31 + b.name.charCodeAt(b.name.length - 1)) ^ seed),
  );
const disjointWorld = fc
  .record({
    groups: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }),
    rails: fc.integer({ min: 1, max: 8 }),
    size: fc.integer({ min: 1, max: 10 }),
    perLeaf: fc.integer({ min: 1, max: 3 }),
    classes: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(),
  })
  .map(({ groups, rails, seed, size, perLeaf, classes }) => {
    const nodes = groups.flatMap((count, g) =>
      Array.from({ length: count }, (_, i) =>
        node(
          `g${g}n${i}`,
          Array.from({ length: rails }, (_r, rail) => g * 8 + rail),
          { classId: (((g * 7 + i * 3 + seed) % classes) + 1) as ClassId },
        ),
      ),
    );
    return { nodes, size, perLeaf, seed };
  });
const overlappingWorld = fc
  .record({
    sets: fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 }),
    size: fc.integer({ min: 1, max: 8 }),
    perLeaf: fc.integer({ min: 1, max: 2 }),
    seed: fc.nat(),
  })
  .map(({ sets, ...rest }) => ({ nodes: sets.map((leaves, i) => node(`n${i}`, leaves)), ...rest }));

describe("on random topologies", () => {
  const faultIn = (nodes: readonly PlanNode[], output: PlannerOutput, size: number, perLeaf: number): string | null => {
    if (
      namesOf(output).flat().sort().join() !==
      nodes
        .map((n) => n.name)
        .sort()
        .join()
    )
      return "a node is missing or stands twice";
    const leavesOf = new Map(nodes.map((n) => [n.name, (n.leaves ?? []).map((l) => l.id)]));
    for (const batch of namesOf(output)) {
      if (batch.length === 0 || batch.length > size) return `a batch of ${batch.length}`;
      const counts = new Map<number, number>();
      for (const leaf of batch.flatMap((name) => leavesOf.get(name) ?? [])) counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
      if ([...counts.values()].some((count) => count > perLeaf)) return `a leaf is taken ${Math.max(...counts.values())} times`;
    }
    if (output.used < output.lowerBound) return "fewer batches than the bound";
    return output.findings.some((f) => f.code === "above_lower_bound") === output.used > output.lowerBound
      ? null
      : "the finding does not fit";
  };

  it.each([
    ["disjoint", disjointWorld],
    ["overlapping", overlappingWorld],
  ])("%s: every node once, no batch too large, no leaf twice, same answer in any order (R5.1, R5.2)", { timeout: 60_000 }, (_, world) => {
    fc.assert(
      fc.property(world, ({ nodes, size, perLeaf, seed }) => {
        const rule = { batchSize: size, leafRule: { is: "applies", maxNodesPerLeaf: perLeaf } } as const;
        const output = planned(nodes, rule);
        expect(faultIn(nodes, output, size, perLeaf)).toBeNull();
        expect(JSON.stringify(planned(shuffled(nodes, seed), rule))).toBe(JSON.stringify(output));
      }),
      { numRuns: 200 },
    );
  });

  it("disjoint: the number of batches is the bound, always (R5.3)", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(disjointWorld, ({ nodes, size, perLeaf }) => {
        const output = planned(nodes, { batchSize: size, leafRule: { is: "applies", maxNodesPerLeaf: perLeaf } });
        const groups = new Map<string, number>();
        for (const n of nodes) groups.set(JSON.stringify(n.leaves), (groups.get(JSON.stringify(n.leaves)) ?? 0) + 1);
        const bound = Math.max(Math.ceil(nodes.length / size), Math.ceil(Math.max(...groups.values()) / perLeaf));
        expect(output.disjoint).toBe(true);
        // A size that the leaves do not allow was reduced first; the bound of the size asked for stays the bound.
        expect(output.used).toBe(bound);
        expect(output.lowerBound).toBe(bound);
      }),
      { numRuns: 300 },
    );
  });

  it("canaries add no batch and lead the earliest ones (R5.4)", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(disjointWorld, ({ nodes, size, perLeaf }) => {
        const output = planned(nodes, { batchSize: size, leafRule: { is: "applies", maxNodesPerLeaf: perLeaf } });
        const holds = output.batches.map((batch) => batch.some((n) => n.canary));
        expect(holds.lastIndexOf(true)).toBe(holds.filter(Boolean).length - 1);
        for (const batch of output.batches)
          expect(batch.map((n) => n.canary)).toEqual([...batch.map((n) => n.canary)].sort((a, b) => Number(b) - Number(a)));
        expect(output.canaries).toHaveLength(new Set(nodes.map((n) => n.classId)).size);
      }),
    );
  });
});
