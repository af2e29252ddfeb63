import { describe, expect, it } from "vitest";
import type { ChangeId, ClassId, TargetId } from "@/lib/core/kernel/ids";
import { checksFor, type ChecksInput } from "./write-checks";

const input = (
  overrides: Partial<Omit<ChecksInput, "target">> & { readonly target?: Partial<ChecksInput["target"]> } = {},
): ChecksInput => ({
  changeId: "c" as ChangeId,
  generation: 1,
  validate: [
    {
      name: "driver version",
      scope: "node",
      groupSize: null,
      gate: "batches",
      run: "x",
      on: "node",
      parser: null,
      expect: { every: "570.172.08" },
      baseline: null,
      timeoutMs: 1,
    },
    {
      name: "dcgm",
      scope: "node",
      groupSize: null,
      gate: "batches",
      run: "y",
      on: "node",
      parser: "dcgm-diag",
      expect: null,
      baseline: null,
      timeoutMs: 1,
    },
    {
      name: "fabric",
      scope: "change",
      groupSize: null,
      gate: "fabric_validation",
      run: "z",
      on: "node",
      parser: null,
      expect: null,
      baseline: null,
      timeoutMs: 1,
    },
  ],
  telemetry: [{ name: "rows", query: "q", expect: { notAbove: "before" }, seriesPerNode: 8, freshnessMs: 1, settleMs: 1 }],
  goal: { component: "gpu_driver", text: "570.172.08" },
  wanted: "570.172.08",
  layers: ["host_report"],
  job: { id: "nccl@3", capture: false },
  ...overrides,
  target: { id: "t1" as TargetId, classId: 1 as ClassId, role: "member", aim: "goal", gpus: 8, ...overrides.target },
});
const words = (i: ChecksInput) =>
  checksFor(i).map((c) => `${c.gate}/${c.name}${c.notApplicableBecause === null ? "" : " (not applicable)"}${c.waivable ? "" : "!"}`);

describe("checks of one pass (R2.1)", () => {
  it.each([
    ["a member: layers, commands, telemetry", input(), ["batches/host report!", "batches/driver version", "batches/dcgm", "batches/rows"]],
    [
      "a canary runs the acceptance job too",
      input({ target: { role: "canary" } }),
      ["canary/host report!", "canary/driver version", "canary/dcgm", "canary/rows", "canary/acceptance job"],
    ],
    [
      "a canary that captures measures first (R3.3)",
      input({ target: { role: "canary" }, job: { id: "j", capture: true } }),
      ["baseline/baseline runs", "canary/host report!", "canary/driver version", "canary/dcgm", "canary/rows", "canary/acceptance job"],
    ],
    [
      "a rollback pass is accepted on the old version (R8.5) and does not ask for the new one",
      input({ target: { aim: "prior" }, wanted: "550.90.07" }),
      ["batches/host report!", "batches/driver version (not applicable)", "batches/dcgm", "batches/rows", "batches/acceptance job"],
    ],
    [
      "no job, no acceptance",
      input({ target: { role: "canary" }, job: null, telemetry: [] }),
      ["canary/host report!", "canary/driver version", "canary/dcgm"],
    ],
  ])("%s", (_title, given, expected) => {
    expect(words(given)).toEqual(expected);
  });
  it("names every check by change, gate, target, pass and name", () => {
    expect(checksFor(input()).map((c) => c.id)).toContain("c/batches/t1/1/dcgm");
  });
});
