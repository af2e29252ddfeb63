import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { readNcclTests } from "@/lib/parsers/nccl-tests";
import { aHash } from "@/lib/testing/a-hash";
import { aJobSpec } from "@/lib/testing/a-job";
import { nodeName } from "@/lib/testing/a-layout";
import { at, NOW } from "@/lib/testing/a-moment";
import { LT } from "@/lib/testing/a-person";
import { openDoors, type DoorSite } from "./door-site";

const sample = (name: string): string => readFileSync(`lib/parsers/samples/${name}`, "utf8");
const OK = sample("nccl_ok_v2.19.txt");
const { conditions } = readNcclTests(new TextEncoder().encode(OK));
const NODES = Array.from({ length: Number(conditions["hosts"]) }, (_, i) => nodeName(i + 1));
const PATH = "/acceptance-jobs/nccl-h100@3/baselines";
let site: DoorSite;
let label: string;
beforeAll(async () => {
  site = await openDoors();
  label = (await site.deps.store.inventory("sim-h100")).find((node) => node.name === nodeName(1))!.classLabel;
  await site.deps.store.saveAcceptanceJob(aJobSpec({ class: label }), "yaml", LT, aHash("job"), NOW);
}, 180_000);
afterAll(() => site.close());

const body = (over: object = {}) => ({
  cluster: "sim-h100",
  class: label,
  nodes: NODES,
  takenAt: at(-600).toISOString(),
  versions: { driver: "570.133.20" },
  outputs: [OK],
  ...over,
});
const record = (over: object = {}, who: "LT" | "AK" = "LT") => site.ask(who, "POST", PATH, { body: JSON.stringify(body(over)) });

test.each([
  ["no output", () => ({ outputs: [] }), /outputs/],
  ["an empty output", () => ({ outputs: [""] }), /output 1: /],
  ["one that is cut", () => ({ outputs: [sample("nccl_truncated.txt")] }), /output 1: /],
  ["wrong values", () => ({ outputs: [sample("nccl_oob_failed.txt")] }), /output 1: /],
  ["unchecked values", () => ({ outputs: [sample("nccl_unchecked_na.txt")] }), /output 1: /],
  ["no rows", () => ({ outputs: [sample("nccl_no_rows_zero_avg.txt")] }), /output 1: /],
  ["another tool's", () => ({ outputs: [sample("dcgm_v4_r2_pass.json")] }), /output 1: /],
  ["the second is a zero byte", () => ({ outputs: [OK, "\u0000"] }), /output 2: /],
  ["the same twice", () => ({ outputs: [OK, OK] }), /output 2: is output 1 once more/],
  ["other sizes", () => ({ outputs: [OK, OK.replaceAll("8589934592", "8589934593")] }), /output 2: /],
  ["too many outputs", () => ({ outputs: Array(51).fill(OK) }), /outputs/],
  ["a future time", () => ({ takenAt: "2999-01-01T00:00:00Z" }), /takenAt: lies in the future/],
  ["a time without zone", () => ({ takenAt: "2026-01-01T00:00:00" }), /takenAt/],
  ["another class", () => ({ class: "a100-8" }), /class: nccl-h100@3 is of/],
  ["an unknown node", () => ({ nodes: ["gpu999"] }), /nodes\.0: sim-h100 has no node gpu999/],
  ["a node of another class", () => ({ nodes: ["login01"] }), /nodes\.0: login01 is of/],
  ["an unknown cluster", () => ({ cluster: "nowhere" }), /nowhere has no node/],
  ["more nodes than it ran on", () => ({ nodes: [...NODES, nodeName(9)] }), /output 1: it ran on \d+ hosts/],
  ["a field too many", () => ({ surprise: 1 }), /surprise/],
] as const)("R3.3: %s is refused, naming the place, and nothing is kept", async (_what, over, said) => {
  const before = await site.contents();
  const told = await record(over());
  expect([told.status, told.text]).toEqual([422, expect.stringMatching(said)]);
  expect(await site.contents()).toBe(before);
});

test("R3.3: an output that is cut anywhere is no baseline", async () => {
  for (let share = 1; share < 12; share += 1) expect((await record({ outputs: [OK.slice(0, (OK.length * share) / 12)] })).status).toBe(422);
});

test("only a workload owner records, only for a job that is there, and only JSON", async () => {
  expect(await record({}, "AK")).toMatchObject({ status: 403 });
  expect((await site.ask("LT", "POST", "/acceptance-jobs/none@1/baselines", { body: JSON.stringify(body()) })).status).toBe(404);
  expect((await site.ask("LT", "POST", PATH, { body: "{" })).status).toBe(422);
});

test("R3.3: earlier runs become a baseline that can be locked, listed and verified, once", async () => {
  const made = await record();
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('"id"')]);
  const [found] = (await site.deps.store.loadSnapshot("CH-1" as ChangeId))!.available.flatMap((one) => one.baselines);
  expect(found).toMatchObject({ id: made.body["id"], changeId: null, jobId: "nccl-h100@3", capturedAt: at(-600), retiredAt: null });
  expect(found?.summary.conditions["ranks"]).toBe(conditions["ranks"]);
  expect(found?.summary.versions["driver"]).toBe("570.133.20");
  const listed = (await site.ask("RB", "GET", PATH)).body["baselines"];
  expect(listed).toMatchObject([{ id: made.body["id"], classLabel: label, capturedBy: "LT", conditions: { ranks: conditions["ranks"] } }]);
  expect(await record()).toMatchObject({ status: 409 });
  const chain = (await site.ask("RB", "GET", "/changes/site/audit")).body;
  expect(chain).toMatchObject({ intact: true, broken: null });
  const lines = await site.record.sql("select actor from audit_events where action = 'baseline.recorded'");
  expect(lines).toEqual([{ actor: "LT" }]);
  expect(site.broken).toEqual([]);
});
