import { expect, it } from "vitest";
import { err, ok } from "@/lib/core/kernel/result";
import type { Deps } from "./deps";
import { testConnections } from "./test-connections";

const list = (count: number) => ok({ entries: Array.from({ length: count }, () => ({})), digest: "", request: "", version: "" });
const refused = err({ code: "denied" as const, because: "The scheduler refuses the token of clearance: make a new one." });
const shell = {
  run: async () => ok({ exitCode: 0, signal: null, stdout: new TextEncoder().encode("Linux 6.1\n") }),
  bootId: async () => ok("b"),
};
const scheduler = {
  ping: async () => ok({ version: "24.05.2" }),
  listNodes: async () => list(64),
  listJobs: async () => list(3),
  readTopology: async () => ok(null),
};
const deps = (world: object | null): Deps =>
  ({ world: () => world, store: { inventory: async () => [{ name: "b001", role: "compute", service: "in_service" }] } }) as unknown as Deps;

it("each system says its version and which reads are allowed; what would change the site is named as not tried", async () => {
  const asked = await testConnections(deps({ scheduler, shell, metrics: null }), "sim");
  if (!asked.ok) throw new Error(asked.error.because);
  expect(asked.value.map(({ system, good, version }) => [system, good, version])).toEqual([
    ["Scheduler", true, "24.05.2"],
    ["Prometheus", false, null],
    ["SSH, head host", true, "Linux 6.1"],
    ["SSH, b001", true, "Linux 6.1"],
  ]);
  expect(asked.value[0]?.told).toBe(
    "read nodes: yes, 64 nodes; read jobs: yes, 3 jobs; read topology: yes, it has none; drain, resume, reboot, reservation and jobs: not tried, because trying them would change the site",
  );
});

it("a right that lacks and a system that is silent are never good, and say why", async () => {
  const world = {
    scheduler: { ...scheduler, listJobs: async () => refused },
    metrics: { ping: async () => refused, instant: async () => refused },
    shell: { ...shell, bootId: async () => refused },
  };
  const asked = await testConnections(deps(world), "sim");
  if (!asked.ok) throw new Error(asked.error.because);
  expect(asked.value.map(({ system, good }) => [system, good])).toEqual([
    ["Scheduler", false],
    ["Prometheus", false],
    ["SSH, head host", true],
    ["SSH, b001", false],
  ]);
  for (const { told } of asked.value.filter(({ good }) => !good)) expect(told).toContain("The scheduler refuses the token of clearance");
});

it("a cluster that is not configured is said", async () => {
  expect(await testConnections(deps(null), "gone")).toMatchObject({ ok: false, error: { code: "not_found" } });
});
