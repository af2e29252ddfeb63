import { describe, expect, it } from "vitest";
import { classOf, labelClasses } from "./node-class";
import type { NodeClassFacts } from "./node-class-facts";

const facts = (overrides: Partial<NodeClassFacts> = {}): NodeClassFacts => ({
  serverModel: "DGX H100",
  accelerator: { model: "NVIDIA H100", count: 8 },
  hca: { model: "ConnectX-7", count: 8 },
  environment: "ubuntu22",
  ...overrides,
});
const labelsOf = (...all: NodeClassFacts[]): string[] => [...labelClasses(all).values()].sort();

describe("node classes (R3.1)", () => {
  it.each<[string, Partial<NodeClassFacts>]>([
    ["server model", { serverModel: "DGX A100" }],
    ["accelerator model", { accelerator: { model: "A100", count: 8 } }],
    ["accelerator count", { accelerator: { model: "NVIDIA H100", count: 4 } }],
    ["HCA", { hca: { model: "ConnectX-6", count: 8 } }],
    ["environment", { environment: "rocky9" }],
  ])("differ by %s", (_, overrides) => expect(classOf(facts(overrides))).not.toBe(classOf(facts())));

  it("are the same for the same facts in any order", () => {
    const { serverModel, ...rest } = facts();
    expect(classOf({ ...rest, serverModel })).toBe(classOf(facts()));
  });

  it("read as h100-8/cx7-8/ubuntu22", () => expect(labelsOf(facts())).toEqual(["h100-8/cx7-8/ubuntu22"]));

  it("never share a label", () => {
    const other = facts({ serverModel: "HGX H100" });
    const third = facts({ serverModel: "hgx-h100" });
    expect(labelsOf(facts(), other, third)).toEqual([
      "h100-8/cx7-8/ubuntu22@dgx-h100",
      "h100-8/cx7-8/ubuntu22@hgx-h100",
      "h100-8/cx7-8/ubuntu22@hgx-h100~2",
    ]);
    expect(labelClasses([third, facts(), other])).toEqual(labelClasses([facts(), other, third]));
  });

  it("read also where there is nothing to count", () => {
    expect(labelsOf(facts({ accelerator: { model: "none", count: 0 }, hca: { model: "-", count: 0 } }))).toEqual([
      "none-0/none-0/ubuntu22",
    ]);
  });
});
