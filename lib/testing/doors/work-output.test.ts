import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CommandRequest } from "@/lib/core/change/command-request";
import type { CommandKey, TargetId } from "@/lib/core/kernel/ids";
import { ok } from "@/lib/core/kernel/result";
import type { NodeShell, ShellEnd } from "@/lib/ports/node-shell";
import type { ScheduledJob, Scheduler } from "@/lib/ports/scheduler";
import type { ClusterWorld, Deps } from "@/lib/services/deps";
import { observeWork } from "@/lib/services/observe/observe-work";
import { runCommand } from "@/lib/services/run-command";
import { aHash } from "@/lib/testing/a-hash";
import { aJobSpec } from "@/lib/testing/a-job";
import { at, NOW } from "@/lib/testing/a-moment";
import { LT } from "@/lib/testing/a-person";
import { aNewCheck } from "@/lib/testing/store-contract-moves";
import { CHANGE, CLUSTER, commitMoves, targetOf } from "@/lib/testing/store-contract-record";
import { openDoors, type DoorSite } from "./door-site";
import { HOSTILE } from "./hostile";

const bytes = (said: string): Uint8Array => new TextEncoder().encode(said);
const GOOD = readFileSync("lib/parsers/samples/nccl_ok_v2.19.txt", "utf8");
const ROW = GOOD.split("\n").find((line) => /^ +536870912 /.test(line)) ?? "";

let site: DoorSite;
let world: ClusterWorld;
let deps: Deps;
let written: Uint8Array = new Uint8Array();
let job: Partial<ScheduledJob> = {};
let polled: (node: string) => Awaited<ReturnType<NodeShell["poll"]>>;
const ended = (over: Partial<ShellEnd> = {}) =>
  ok({
    is: "ended" as const,
    exitCode: 0,
    signal: null,
    stdout: bytes("done\n"),
    stderr: new Uint8Array(),
    truncated: false,
    startedAt: at(-2),
    endedAt: at(-1),
    ...over,
  });

beforeAll(async () => {
  site = await openDoors();
  await site.deps.store.saveAcceptanceJob(aJobSpec(), "a", LT, aHash("a"), NOW);
  const shell: Partial<NodeShell> = {
    bootId: () => Promise.resolve(ok("2b7f4a6e-6c0f-4a3c-9d53-5e1c1a4b6f01")),
    stateFolder: () => Promise.resolve(ok("/var/lib/clearance")),
    run: () => Promise.resolve(ended({ stdout: written })),
    start: (_host, key) => Promise.resolve(ok({ folder: `/var/lib/clearance/${key}`, bootId: null, again: false })),
    poll: (host) => Promise.resolve(polled("node" in host ? host.node : "head")),
    readFile: () => Promise.resolve(ok({ bytes: written, truncated: false })),
  };
  const list = () => ok({ entries: [jobNow()], version: "v0.0.40", request: "jobs", digest: "0" });
  const scheduler: Partial<Scheduler> = {
    submit: () => Promise.resolve(ok({ jobId: "77" })),
    listJobs: () => Promise.resolve(list()),
    readJob: () => Promise.resolve(ok(jobNow())),
  };
  world = { shell: shell as NodeShell, scheduler: scheduler as Scheduler, metrics: null, rebootVia: "ssh", nodeLabel: null };
  deps = { ...site.deps, world: () => world };
}, 180_000);
afterAll(() => site.close());
beforeEach(() => {
  written = new Uint8Array();
  job = {};
  polled = () => ended();
});

const jobNow = (): ScheduledJob => ({
  id: "77",
  name: "somebody else's",
  user: "root",
  phase: "ended",
  state: "COMPLETED",
  nodes: ["gpu001"],
  startedAt: at(-2),
  endsAt: null,
  endedAt: at(-1),
  exitCode: 0,
  signal: null,
  requeues: 0,
  raw: "{}",
  ...job,
});

let nth = 0;
async function begun(n: number, request: CommandRequest, deadlineAt = at(60)): Promise<CommandKey> {
  nth += 1;
  const key = `CH-1/gpu00${n}/${request.kind}.${nth}/1` as CommandKey;
  const command = { key, kind: request.kind, targetId: targetOf(n) as TargetId, generation: 1, deadlineAt, because: "", request };
  await commitMoves(site.record, [], { commands: [command] });
  await runCommand(deps, { key, worker: "w1" });
  return key;
}
type Row = { state: string; outcome: { because: string; reading?: unknown } | null; finished: boolean };
async function rowOf(key: CommandKey): Promise<Row> {
  const [row] = await site.record.sql<Row>("select state, outcome, finished_at is not null as finished from commands where key = $1", [
    key,
  ]);
  if (row === undefined) throw new Error(`${key} is gone`);
  return row;
}
type RunRequest = Extract<CommandRequest, { kind: "start_run" }>;
const check = aNewCheck({ name: "runs" });
const plain = (n: number): RunRequest => ({
  kind: "start_run",
  node: `gpu00${n}`,
  nodes: [`gpu00${n}`],
  checkId: check.id,
  job: null,
  run: "tool",
  on: "node",
  parser: null,
  timeoutMs: 60_000,
});
const accepting = (): RunRequest & { readonly job: NonNullable<RunRequest["job"]> } => ({
  ...plain(1),
  run: null,
  job: {
    id: "nccl-h100@3",
    purpose: "acceptance",
    script: "x",
    name: `clearance-${nth}`,
    reservation: "r",
    repeat: 1,
    parser: "nccl-tests",
  },
});

test.each<readonly [string, (node: string) => ReturnType<typeof polled>]>([
  ["tells times that no calendar has", () => ended({ startedAt: new Date(NaN), endedAt: new Date(9e18) })],
  [
    "makes the adapter throw",
    () => {
      throw new Error("the line broke");
    },
  ],
])(
  "a host that %s keeps no other command's end from being recorded, and its own is unknown at its deadline",
  async (_what, says) => {
    const late = await begun(1, plain(1), at(-1));
    const open = await begun(1, plain(1));
    const good = await begun(2, plain(2));
    polled = (node) => (node === "gpu001" ? says(node) : ended());
    await observeWork(deps, world, CLUSTER);
    expect(await rowOf(good)).toMatchObject({ state: "succeeded", finished: true });
    expect(await rowOf(late)).toMatchObject({
      state: "unknown",
      outcome: { because: expect.stringContaining("had not ended at its deadline") },
    });
    expect(await rowOf(open)).toMatchObject({ finished: false, outcome: null });
    expect(site.broken.at(-1)).toContain(open);
    const [read] = await site.record.sql("select failed_at from source_reads where source = 'work'");
    expect(read).toEqual({ failed_at: null });
    polled = () => ended();
    await observeWork(deps, world, CLUSTER);
    expect(await rowOf(open)).toMatchObject({ state: "succeeded" });
  },
  120_000,
);

test.each<readonly [string, string | Uint8Array]>([
  ["the output of one run twice", GOOD + GOOD],
  ["a size in two rows", GOOD.replace(ROW, `${ROW}\n${ROW}`)],
  ["numbers beyond numbers", GOOD.replaceAll("364.01", "1e999").replaceAll("363.54", "-inf")],
  [
    "a count of wrong values beyond numbers",
    GOOD.replace(/Out of bounds values : 0 OK/, `Out of bounds values : ${"9".repeat(400)} FAILED`),
  ],
  ["sizes beyond sizes", GOOD.replaceAll("536870912", "9".repeat(15)).replaceAll("1073741824", "9".repeat(25))],
  ["NULs between good rows", GOOD.replaceAll("float", "fl\u0000at").replace("# nccl-tests version 2", "# nccl-tests version \u0000")],
  ["random bytes after a good run", Uint8Array.from([...bytes(GOOD), 0xff, 0xfe, 0xc3, 0x00, 0x1b])],
  ["nothing", ""],
  ...Object.entries(HOSTILE),
])(
  "an acceptance run that printed %s is recorded, and the change is read with it",
  async (_what, output) => {
    written = typeof output === "string" ? bytes(output) : output;
    job = { user: HOSTILE["NUL"] ?? "", raw: JSON.stringify(HOSTILE), requeues: 2 };
    const key = await begun(1, accepting());
    await observeWork(deps, world, CLUSTER);
    expect(site.broken.filter((line) => line.includes(key))).toEqual([]);
    expect(await rowOf(key)).toMatchObject({ state: "succeeded", finished: true });
    const s = await site.deps.store.loadSnapshot(CHANGE);
    const run = s?.runs.find((one) => one.commandKey === key);
    expect(run).toBeDefined();
    const rows = (run?.measurements ?? []).map((one) => `${one.metric} ${one.bucket} ${one.placement}`);
    expect(new Set(rows).size).toBe(rows.length);
    expect(s?.commands.find((one) => one.key === key)?.outcome?.reading).toMatchObject({ parser: "nccl-tests" });
  },
  120_000,
);

test("an output that was cut, or whose file is missing, is neither correct nor wrong (R2.3)", async () => {
  const exact = aJobSpec({ name: "exact", version: 1, expectOutput: { kind: "exact", text: "the whole text" } });
  await site.deps.store.saveAcceptanceJob(exact, "b", LT, aHash("b"), NOW);
  const run = async (truncated: boolean) => {
    const { shell } = world;
    const cut: ClusterWorld = { ...world, shell: { ...shell, readFile: () => Promise.resolve(ok({ bytes: written, truncated })) } };
    const request = accepting();
    const key = await begun(1, { ...request, job: { ...request.job, id: "exact@1" } });
    await observeWork(deps, cut, CLUSTER);
    return (await site.deps.store.loadSnapshot(CHANGE))?.runs.find((one) => one.commandKey === key)?.output;
  };
  written = bytes("the whole");
  expect(await run(true)).toMatchObject({ correct: "unknown", because: expect.stringContaining("cut") });
  expect(await run(false)).toMatchObject({ correct: "wrong" });
  written = bytes("the whole text");
  expect(await run(true)).toMatchObject({ correct: "unknown" });
  expect(await run(false)).toMatchObject({ correct: "correct" });
}, 120_000);
