import { describe, expect, it } from "vitest";
import { runPlanPreview } from "./plan-preview";

type Answer = {
  batches: {
    index: number;
    nodes: { name: string; canary: boolean; class: string; leaves: string[] }[];
    gpusOut: number;
    percentOut: number;
  }[];
  canaries: string[];
  notPlanned: { name: string; because: string }[];
  batchSize: { asked: number; used: number; because?: string };
  lowerBound: number;
  durations: Record<string, unknown>;
  windows: { startUtc: string; endUtc: string; minutes: number; fits: boolean; because?: string }[];
  findings: { code: string; text: string; acceptedBy: string }[];
  conflicts: { code: string; text: string }[];
  outOfService: unknown[];
  problems?: { line: number; path: string; text: string }[];
};

const PLAN = `apiVersion: clearance/v1
title: HCA firmware 28.41.1000
cluster: site
type: ib_hca_firmware
target: {nodes: "n[1-64]", firmware: 28.41.1000}
batchSize: 4
interBatchDelay: 5m
windows: [{start: 2026-12-08T22:00, end: 2026-12-09T05:00, timezone: UTC}, {start: 2026-12-10T22:00, end: 2026-12-11T04:00, timezone: UTC}]
acceptance: {job: nccl-h100@3, baseline: capture}
validate:
  - {name: ports, run: ibstat, expect: {equals: Active}}
  - {name: all-reduce, scope: group, groupSize: 2, run: all_reduce_perf, parser: nccl-tests, baseline: {busbw: "> 90%"}}
rollback: {components: [{name: firmware, capability: tested, run: "flint -i old burn"}]}
`;
const nodesOf = (count: number, leaves: (i: number) => unknown, overrides: (i: number) => object = () => ({})): object[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `n${i + 1}`,
    role: "compute",
    leaves: leaves(i),
    serverModel: "DGX H100",
    accelerator: { model: i >= 96 ? "a100" : "h100", count: 8 },
    hca: { model: "cx7", count: 8 },
    environment: "ubuntu22",
    managedBy: "slurm",
    state: "idle",
    ...overrides(i),
  }));
const leafOf = (i: number): string[] => [`leaf${String(Math.floor(i / 8) + 1).padStart(2, "0")}`];

async function run(
  plan: string,
  inventory: unknown,
  flags: string[] = ["--json"],
): Promise<{ exit: number; out: string; err: string; answer: Answer }> {
  const files: Record<string, string> = {
    "plan.yaml": plan,
    "inventory.json": typeof inventory === "string" ? inventory : JSON.stringify(inventory),
  };
  let [out, err] = ["", ""];
  const exit = await runPlanPreview(["plan.yaml", "--inventory", "inventory.json", ...flags], {
    readFile: (path) => {
      const text = files[path];
      return text === undefined ? Promise.reject(new Error("no such file")) : Promise.resolve(new TextEncoder().encode(text));
    },
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { exit, out, err, answer: flags.includes("--json") ? (JSON.parse(out) as Answer) : ({} as Answer) };
}

describe("plan preview (S2)", () => {
  it("names n64 while its leaf is unknown and does not place it", async () => {
    const { exit, answer } = await run(
      PLAN,
      nodesOf(64, (i) => (i === 63 ? [] : leafOf(i))),
    );
    expect(exit).toBe(1);
    expect(answer.notPlanned).toEqual([{ name: "n64", because: expect.stringContaining("leaf unknown") as string }]);
    expect(answer.batches.flatMap((b) => b.nodes.map((n) => n.name))).not.toContain("n64");
  });

  it("makes 16 batches of 4 in 4h00-5h20 of work and 5h15-6h35 with delays, 6.25 % out, the same twice and from any order", async () => {
    const inventory = nodesOf(64, leafOf);
    const first = await run(PLAN, inventory);
    expect(first.exit).toBe(0);
    expect(first.answer.batches.map((b) => [b.nodes.length, b.gpusOut, b.percentOut])).toEqual(
      Array.from({ length: 16 }, () => [4, 32, 6.25]),
    );
    for (const batch of first.answer.batches) expect(new Set(batch.nodes.flatMap((n) => n.leaves)).size).toBe(4);
    expect(new Set(first.answer.batches.flatMap((b) => b.nodes.map((n) => n.name))).size).toBe(64);
    expect(first.answer.batches[0]?.nodes[0]).toEqual({ name: "n1", canary: true, class: "h100-8/cx7-8/ubuntu22", leaves: ["leaf01"] });
    expect(first.answer).toMatchObject({
      canaries: ["n1"],
      batchSize: { asked: 4, used: 4 },
      lowerBound: 16,
      durations: {
        batchWork: { minMinutes: 240, maxMinutes: 320 },
        delaysMinutes: 75,
        drainWaitMinutes: 0,
        total: { minMinutes: 315, maxMinutes: 395 },
        canaries: { minMinutes: 15, maxMinutes: 20 },
      },
      windows: [
        { startUtc: "2026-12-08T22:00:00.000Z", minutes: 420, fits: true },
        { minutes: 360, fits: false, because: expect.stringContaining("6h35") as string },
      ],
      findings: [],
      conflicts: [],
      notPlanned: [],
    });
    expect((await run(PLAN, inventory)).out).toBe(first.out);
    expect((await run(PLAN, [...inventory].reverse())).out).toBe(first.out);
  });

  it("reduces batch size 9 to 8 because of 8 leaves", async () => {
    const { exit, answer } = await run(PLAN.replace("batchSize: 4", "batchSize: 9"), nodesOf(64, leafOf));
    expect(exit).toBe(1);
    expect(answer.batchSize).toEqual({ asked: 9, used: 8, because: "8 leaves" });
  });

  it("makes 32 batches and 3.125 % of 128 nodes on 16 leaves", async () => {
    const { answer } = await run(
      PLAN.replace("n[1-64]", "n[1-128]"),
      nodesOf(128, leafOf, () => ({ accelerator: { model: "h100", count: 8 } })),
    );
    expect(answer.batches.map((b) => b.percentOut)).toEqual(Array.from({ length: 32 }, () => 3.125));
  });

  it("keeps 96 and 32 nodes of two classes apart in 32 batches, each class with its canary", async () => {
    const { answer } = await run(PLAN.replace("n[1-64]", "n[1-128]"), nodesOf(128, leafOf));
    expect(answer.batches.map((b) => new Set(b.nodes.map((n) => n.class)).size)).toEqual(Array.from({ length: 32 }, () => 1));
    expect(answer.canaries).toEqual(["n1", "n97"]);
  });

  it("leaves 127 nodes for 16 batches after the first one of an emergency (S9)", async () => {
    const { answer } = await run(
      PLAN.replace("n[1-64]", "n[1-128]").replace("batchSize: 4", "batchSize: 8"),
      nodesOf(128, leafOf, () => ({ accelerator: { model: "h100", count: 8 } })),
    );
    expect(answer.batches.map((b) => b.nodes.filter((n) => !n.canary).length)).toEqual([7, ...Array.from({ length: 15 }, () => 8)]);
  });
});

describe("plan preview shows and refuses", () => {
  it("leaves by fabric: storage does not count, and rails make one group", async () => {
    const rails = (i: number): object[] => [
      ...Array.from({ length: 4 }, (_, r) => ({ name: `r${Math.floor(i / 32)}l${r}`, fabric: "compute" })),
      { name: "st1", fabric: "storage" },
    ];
    const { answer } = await run(PLAN, nodesOf(64, rails));
    expect(answer.batchSize).toEqual({ asked: 4, used: 2, because: "2 groups of nodes that share their leaves" });
    expect(answer.batches).toHaveLength(32);
  });

  it("nodes that others hold, planned but shown with their reason; a busy node makes the drain wait unknown", async () => {
    const inventory = nodesOf(64, leafOf, (i) =>
      i === 2 ? { state: "drained", reason: "bad DIMM" } : i === 3 ? { state: "allocated" } : {},
    );
    const { exit, answer } = await run(PLAN, inventory);
    expect(exit).toBe(0);
    expect(answer.outOfService).toEqual([{ name: "n3", state: "drained", reason: "bad DIMM" }]);
    expect(answer.durations).toMatchObject({ drainWaitMinutes: null });
  });

  it("a batch above a quarter of its class and partition (R6.4), an untested way back, a version that nothing keeps", async () => {
    const plan = PLAN.replace("ib_hca_firmware", "gpu_driver")
      .replace("firmware: 28.41.1000", "driver: 570.1")
      .replace("n[1-64]", "n[1-12]")
      .replace("capability: tested", "capability: untested");
    const inventory = nodesOf(
      12,
      (i) => [`l${i % 4}`],
      (i) => ({ partitions: i < 4 ? ["train", "small"] : ["train"] }),
    );
    const { exit, answer } = await run(plan, inventory);
    expect(exit).toBe(1);
    expect(answer.findings.map((f) => f.code)).toEqual([
      "quarter_of_class",
      "quarter_of_partition",
      "quarter_of_partition",
      "rollback_untested",
      "persistence_none",
    ]);
    expect(answer.findings.every((f) => f.acceptedBy === "approver")).toBe(true);
  });

  it.each<[string, string, unknown, string]>([
    ["names that the inventory has not", PLAN.replace("n[1-64]", "n[1-70]"), nodesOf(64, leafOf), "unknown_nodes"],
    ["nodes of another manager", PLAN, nodesOf(64, leafOf, (i) => (i === 5 ? { managedBy: "kubernetes" } : {})), "other_manager"],
    ["no topology source", PLAN, nodesOf(64, () => undefined), "topology_required"],
    ["nothing to plan", PLAN, nodesOf(64, leafOf, () => ({ role: "login" })), "nothing_to_plan"],
    ["a canary that is not in the plan", `${PLAN}canaries: {nodes: [n99]}\n`, nodesOf(64, leafOf), "canary_not_planned"],
  ])("%s as a conflict, exit 2", async (_, plan, inventory, code) => {
    const { exit, answer } = await run(plan, inventory);
    expect(exit).toBe(2);
    expect(answer.conflicts.map((c) => c.code)).toContain(code);
  });

  it("the windows' shortage, and fabric work without a group check, which nobody can accept", async () => {
    const { answer } = await run(
      PLAN.replace(/.*all-reduce.*\n/, "")
        .replace(/, \{start: 2026-12-10.*\}\]/, "]")
        .replace("09T05:00", "08T23:00"),
      nodesOf(64, leafOf),
    );
    expect(answer.findings).toMatchObject([
      { code: "group_check_missing", acceptedBy: "nobody" },
      { code: "window_too_short", text: expect.stringContaining("2 of 16") as string },
    ]);
  });

  it.each<[string, string, unknown, RegExp]>([
    [
      "a floating version",
      PLAN.replace("28.41.1000}", "latest}"),
      nodesOf(1, leafOf),
      /plan\.yaml:5:\d+: target\.firmware: "latest" is a floating version/,
    ],
    ["an unknown key", PLAN.replace("batchSize", "batchsize"), nodesOf(1, leafOf), /plan\.yaml:6:1: batchsize: .*Did you mean batchSize/],
    ["an inventory that is no JSON", PLAN, "[{", /inventory\.json: Not valid JSON/],
    ["an empty inventory", PLAN, [], /inventory\.json: /],
    ["a state nobody knows", PLAN, nodesOf(1, leafOf, () => ({ state: "fine" })), /\[0\]\.state/],
    ["a fact left out", PLAN, nodesOf(1, leafOf, () => ({ hca: undefined })), /\[0\]\.hca: is missing/],
    ["an unknown fact", PLAN, nodesOf(1, leafOf, () => ({ colour: "red" })), /colour/],
    ["a node twice", PLAN, [...nodesOf(1, leafOf), ...nodesOf(1, leafOf)], /n1 stands in the inventory twice/],
  ])("%s, by its place, exit 2", async (_, plan, inventory, message) => {
    const { exit, err, answer } = await run(plan, inventory);
    expect(exit).toBe(2);
    expect(err).toMatch(message);
    expect(answer.problems?.length).toBeGreaterThan(0);
  });

  it("how it is used, when it is used otherwise", async () => {
    const said: string[] = [];
    const io = { readFile: () => Promise.reject(new Error("no")), out: () => undefined, err: (text: string) => said.push(text) };
    expect(await runPlanPreview([], io)).toBe(2);
    expect(await runPlanPreview(["plan.yaml"], io)).toBe(2);
    expect(await runPlanPreview(["plan.yaml", "--inventory", "i", "--what"], io)).toBe(2);
    expect(await runPlanPreview(["plan.yaml", "--inventory", "i"], io)).toBe(2);
    expect(said.join("")).toMatch(/usage: clearance plan preview[^]*cannot be read/);
  });

  it("a reason with terminal codes harmlessly", async () => {
    const { out } = await run(
      PLAN,
      nodesOf(64, leafOf, (i) => (i === 0 ? { state: "drained", reason: "\u001b[2Jgone" } : {})),
      [],
    );
    expect(out).toContain("n1 drained, ?[2Jgone");
  });

  it("the same to a person, in words", async () => {
    const { out } = await run(PLAN, nodesOf(64, leafOf), []);
    expect(out).toContain("16 batches of up to 4 nodes");
    expect(out).toContain("Batch work 4h00-5h20, delays 1h15, together 5h15-6h35");
    expect(out).toContain("6.25 %");
  });
});
