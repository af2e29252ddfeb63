import { describe, expect, it } from "vitest";
import type { NodeView } from "@/lib/ports/rows";
import { aHash } from "@/lib/testing/a-hash";
import { NOW, at } from "@/lib/testing/a-moment";
import { PEOPLE } from "@/lib/testing/a-person";
import { driverPlan } from "@/lib/demo/driver-plan";
import type { Deps } from "./deps";
import { previewYaml } from "./preview-change";

const node = (n: number, over: Partial<NodeView> = {}): NodeView => ({
  subjectId: n as NodeView["subjectId"],
  name: `gpu00${n}`,
  role: "compute",
  classLabel: "h100-8/cx7-8/ubuntu22",
  facts: { serverModel: "x", accelerator: { model: "h100", count: 8 }, hca: { model: "cx7", count: 8 }, environment: "ubuntu22" },
  gpus: 8,
  hcas: 8,
  leaves: [{ name: `leaf0${n}`, fabric: "compute" }],
  partitions: ["gpu"],
  scaleSet: null,
  service: "in_service",
  serviceReason: null,
  serviceWords: ["IDLE"],
  jobs: [],
  serviceSince: at(-60),
  serviceSeenAt: at(-1),
  reported: {},
  changeId: null,
  step: null,
  ...over,
});
const job = (minutes: number | "no_limit") => ({ id: "7", user: "bo", endsAt: minutes === "no_limit" ? minutes : at(minutes) });

/** The preview of a plan for gpu001 and gpu002 over this inventory. */
async function preview(nodes: readonly NodeView[]) {
  const store = {
    clusters: () => Promise.resolve([{ id: "sim-h100", disposable: false }]),
    inventory: () => Promise.resolve(nodes),
    people: () => Promise.resolve(PEOPLE.map((one) => ({ ...one, email: "" }))),
    acceptanceJobs: () => Promise.resolve([]),
  };
  const deps = { store, clock: { now: () => Promise.resolve(NOW) }, hash: { text: aHash } } as unknown as Pick<
    Deps,
    "store" | "clock" | "hash"
  >;
  const yaml = driverPlan({ cluster: "sim-h100", nodes: "gpu[001-002]", from: "550.90.07", to: "570.172.08", jobs: [], now: NOW });
  const seen = await previewYaml(deps, yaml);
  if (!seen.ok) throw new Error(JSON.stringify(seen.error));
  return seen.value;
}

describe("the wait for running jobs is shown with the plan (R5.8)", () => {
  it.each<[string, readonly NodeView[], number | null]>([
    ["idle nodes wait for nothing", [node(1), node(2)], 0],
    ["the longest limit counts", [node(1, { jobs: [job(30), job(90)] }), node(2, { jobs: [job(45)] })], 90],
    ["jobs on nodes that are not in the plan do not count", [node(1), node(2), node(3, { jobs: [job(600)] })], 0],
    ["a job without a limit cannot be told", [node(1, { jobs: [job("no_limit")] }), node(2, { jobs: [job(45)] })], null],
    ["a node whose jobs nobody has read cannot be told", [node(1, { serviceWords: null, serviceSeenAt: null }), node(2)], null],
    ["an old list of jobs cannot be told", [node(1, { serviceSeenAt: at(-16) }), node(2)], null],
    ["a draining node whose job the list does not show cannot be told", [node(1, { service: "draining" }), node(2)], null],
    ["a job past its limit ends at once", [node(1, { jobs: [job(-5)] }), node(2)], 0],
  ])("%s", async (_title, nodes, minutes) => {
    expect((await preview(nodes)).durations.drainWaitMinutes).toBe(minutes);
  });
});

it("a busy node is planned like an idle one, and one that is out is shown with its reason", async () => {
  const seen = await preview([
    node(1, { serviceWords: ["MIXED"], jobs: [job(5)] }),
    node(2, { service: "drained", serviceReason: "bad DIMM" }),
  ]);
  expect(seen.outOfService).toEqual([{ name: "gpu002", state: "drained", reason: "bad DIMM" }]);
  expect(seen.batches.flatMap((batch) => batch.nodes.map((one) => one.name)).sort()).toEqual(["gpu001", "gpu002"]);
});
