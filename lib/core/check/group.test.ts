import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChangeId, ClassId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import { fabricNodes, spotNodes, validationChecks, type SampledNode } from "./group";

const nodes = (count: number, classId: number, from = 1): readonly SampledNode[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `t${from + i}` as TargetId,
    subjectId: (from + i) as SubjectId,
    name: `gpu${String(from + i).padStart(3, "0")}`,
    classId: classId as ClassId,
    gpus: 8,
  }));

describe("the nodes of fabric and spot validation (R11.5)", () => {
  it("takes at least 13 of 96 H and 32 G, with both classes (S3)", () => {
    const chosen = spotNodes([...nodes(96, 1), ...nodes(32, 2, 97)], 128);
    expect(chosen.length).toBe(13);
    expect(new Set(chosen.map((n) => n.classId))).toEqual(new Set([1, 2]));
  });
  it("takes 128 GPUs of one class, or all it has", () => {
    expect(fabricNodes([...nodes(96, 1), ...nodes(32, 2, 97)]).map((n) => n.classId)).toEqual(Array(16).fill(1));
    expect(fabricNodes(nodes(3, 1))).toHaveLength(3);
    expect(fabricNodes([])).toEqual([]);
  });
  it("does not depend on the order in which nodes are listed, and covers every class", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 40 }), fc.integer(), (h, g, seed) => {
        const all = [...nodes(h, 1), ...nodes(g, 2, h + 1)];
        const other = [...all].sort((a, b) => ((a.subjectId * 7919 + seed) % 101) - ((b.subjectId * 7919 + seed) % 101));
        expect(spotNodes(other, all.length)).toEqual(spotNodes(all, all.length));
        expect(spotNodes(all, all.length).length).toBeGreaterThanOrEqual(Math.ceil(all.length / 10));
        expect(new Set(spotNodes(all, all.length).map((n) => n.classId)).size).toBe(g === 0 ? 1 : 2);
      }),
    );
  });
  it("writes one row over all nodes for the fabric and one per node for the sample, from the plan's own commands", () => {
    const listed = {
      scope: "change" as const,
      groupSize: null,
      run: "x",
      on: "node" as const,
      parser: null,
      expect: null,
      baseline: null,
      timeoutMs: 1,
    };
    const validate = [
      { ...listed, name: "fabric", gate: "fabric_validation" as const },
      { ...listed, name: "dcgm", gate: "spot_validation" as const },
      { ...listed, name: "each", gate: "batches" as const, scope: "node" as const },
    ];
    const input = { changeId: "c" as ChangeId, validate, nodes: nodes(20, 1), total: 20, generation: 1 };
    const fabric = validationChecks({ ...input, gate: "fabric_validation" });
    expect(fabric.map((c) => [c.id, c.members.length, c.targetId])).toEqual([["c/fabric_validation/change/1/fabric", 16, null]]);
    const counted = { ...listed, name: "fabric", gate: "fabric_validation" as const, parser: "nccl-tests" };
    const gpusOf = (count: number, parser = "nccl-tests") =>
      validationChecks({ ...input, validate: [{ ...counted, parser }], nodes: nodes(count, 1), gate: "fabric_validation" }).map((c) =>
        c.spec.kind === "command" ? c.spec.gpus : "no command",
      );
    // R11.5: 128 GPUs of one class, or all it has. Eight ranks of 128 are too few.
    expect([gpusOf(20), gpusOf(3), gpusOf(20, "text")]).toEqual([[128], [24], [null]]);
    const spot = validationChecks({ ...input, gate: "spot_validation" });
    expect(spot.map((c) => [c.name, c.members.length])).toEqual([
      ["dcgm", 1],
      ["dcgm", 1],
    ]);
    expect(new Set(spot.map((c) => c.id)).size).toBe(2);
  });
});
