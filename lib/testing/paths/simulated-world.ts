/** Steps so short that a path takes a minute; in shown seconds. Rules, limits and freshness stay as they are. */
const SHORT_STEPS = {
  bootS: 6,
  updateS: 3,
  diagS: 2,
  allReduceS: 2,
  epilogS: 1,
  scrapeS: 5,
  minJobAgeS: 600,
  slurmdTimeoutS: 300,
  resumeTimeoutS: 600,
  respondS: 1,
};

const A100 = { gpuModel: "NVIDIA A100-SXM4-80GB", gres: "a100", busbwGBs: 230 };

const pad = (n: number): string => String(n).padStart(3, "0");
const leaves = (prefix: string, count: number, perLeaf: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `leaf${String(i + 1).padStart(2, "0")}`,
    nodes: `${prefix}[${pad(i * perLeaf + 1)}-${pad((i + 1) * perLeaf)}]`,
  }));

const DISPOSABLE = {
  name: "sim-test",
  slurmVersions: ["v0.0.40"],
  partitions: [{ name: "test", nodes: "t[001-016]", default: true }],
  nodes: [
    { names: "t[001-012]", features: ["sku_h100"] },
    { names: "t[013-016]", hardware: A100, features: ["sku_a100"] },
  ],
  leaves: leaves("t", 4, 4),
};

/** Eight H100 nodes on two leaves, and the disposable cluster of the demo. */
export const EIGHT_NODES = {
  steps: SHORT_STEPS,
  clusters: [
    {
      name: "sim-h100",
      slurmVersions: ["v0.0.40"],
      partitions: [{ name: "train", nodes: "gpu[001-008]", default: true }],
      nodes: [{ names: "gpu[001-008]", features: ["sku_h100"] }],
      leaves: leaves("gpu", 2, 4),
    },
    DISPOSABLE,
  ],
};

/** 128 nodes on 16 leaves, twelve leaves of H100 and four of A100. */
export const WHOLE_CLUSTER = {
  steps: SHORT_STEPS,
  clusters: [
    {
      name: "sim-h100",
      slurmVersions: ["v0.0.40"],
      partitions: [{ name: "train", nodes: "gpu[001-128]", default: true }],
      nodes: [
        { names: "gpu[001-096]", features: ["sku_h100"] },
        { names: "gpu[097-128]", hardware: A100, features: ["sku_a100"] },
      ],
      leaves: leaves("gpu", 16, 8),
    },
    DISPOSABLE,
  ],
};

/**
 * Disposable clusters of eight nodes on four leaves each, so that several changes can run at once. `more` adds to a cluster's description; `prefixOf`
 * names the nodes of a cluster: one Prometheus answers for all of them, so that nodes that share a name share their series.
 */
export const disposableClusters = (clusters: Readonly<Record<string, object>>, prefixOf: (cluster: string) => string = () => "n") => ({
  steps: SHORT_STEPS,
  clusters: Object.entries(clusters).map(([name, more]) => {
    const nodes = `${prefixOf(name)}[001-008]`;
    return {
      name,
      slurmVersions: ["v0.0.40"],
      partitions: [{ name: "test", nodes, default: true }],
      nodes: [{ names: nodes, features: ["sku_h100"] }],
      leaves: leaves(prefixOf(name), 4, 2),
      ...more,
    };
  }),
});
