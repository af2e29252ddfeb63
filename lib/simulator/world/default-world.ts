/** The data centre of the demo: a production cluster, a healthy second one and a disposable one. */
import { WorldDescription } from "./description";

const A100 = { gpuModel: "NVIDIA A100-SXM4-80GB", gres: "a100", busbwGBs: 230 };
const ALL_128 = "gpu[001-128]";

export const DEFAULT_WORLD: WorldDescription = WorldDescription.parse({
  clusters: [
    {
      name: "sim-h100",
      slurmVersions: ["v0.0.40"],
      partitions: [
        { name: "train", nodes: ALL_128, default: true },
        { name: "a100", nodes: "gpu[097-128]" },
      ],
      nodes: [
        { names: "gpu[001-096]", features: ["sku_h100"] },
        { names: "gpu[097-128]", hardware: A100, features: ["sku_a100"] },
      ],
      leaves: leavesOf("gpu", 16, 8, 3),
      unavailable: [
        { nodes: "gpu023", state: "drain", reason: "DIMM replacement, ticket 123", user: "hweiss" },
        { nodes: "gpu058", state: "drain", reason: "XID 79 on GPU 3, RMA open", user: "oncall" },
        { nodes: "gpu077", state: "down", reason: "Not responding", user: "slurm" },
        { nodes: "gpu111", state: "drain", reason: "nhc: check_hw_ib failed", user: "root" },
      ],
      jobs: [
        { user: "mchen", name: "llm-pretrain", nodes: "gpu[001-004]", limitMinutes: 1800, leftMinutes: 45 },
        { user: "mchen", name: "llm-pretrain-b", nodes: "gpu[041-048]", limitMinutes: 1440, leftMinutes: 70 },
        { user: "rnowak", name: "protein-fold", nodes: "gpu[062-063]", limitMinutes: 600, leftMinutes: 25 },
        { user: "lfischer", name: "notebook", nodes: "gpu100", limitMinutes: 480, leftMinutes: 30 },
      ],
      streams: [
        { user: "tkim", name: "sweep", nodesPerJob: 1, minutes: 15, maxRunning: 10, keepQueued: 3 },
        { user: "adiaz", name: "finetune", nodesPerJob: 4, minutes: 40, maxRunning: 3 },
      ],
    },
    {
      name: "sim-second",
      slurmVersions: ["v0.0.38"],
      partitions: [{ name: "batch", nodes: "b[001-064]", default: true }],
      nodes: [{ names: "b[001-064]", features: ["sku_h100"] }],
      leaves: leavesOf("b", 8, 8, 3),
      streams: [{ user: "gpark", name: "inference-bench", nodesPerJob: 2, minutes: 20, maxRunning: 4 }],
    },
    {
      name: "sim-test",
      slurmVersions: ["v0.0.38", "v0.0.40"],
      partitions: [{ name: "test", nodes: "t[001-016]", default: true }],
      nodes: [
        { names: "t[001-012]", features: ["sku_h100"] },
        { names: "t[013-016]", hardware: A100, features: ["sku_a100"] },
      ],
      leaves: leavesOf("t", 4, 4, 3),
    },
  ],
});

function leavesOf(prefix: string, count: number, perLeaf: number, width: number): { name: string; nodes: string }[] {
  const pad = (n: number): string => String(n).padStart(width, "0");
  return Array.from({ length: count }, (_, i) => ({
    name: `leaf${String(i + 1).padStart(2, "0")}`,
    nodes: `${prefix}[${pad(i * perLeaf + 1)}-${pad((i + 1) * perLeaf)}]`,
  }));
}
