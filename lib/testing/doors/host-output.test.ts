import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CommandRequest } from "@/lib/core/change/command-request";
import { judgeReading } from "@/lib/core/check/judge-reading";
import { Reading } from "@/lib/core/check/reading";
import type { CommandKey, TargetId } from "@/lib/core/kernel/ids";
import { ok } from "@/lib/core/kernel/result";
import type { NodeShell, ShellEnd } from "@/lib/ports/node-shell";
import type { ClusterWorld, Deps } from "@/lib/services/deps";
import { observeHosts } from "@/lib/services/observe/observe-hosts";
import { observeWork } from "@/lib/services/observe/observe-work";
import { runCommand } from "@/lib/services/run-command";
import { at } from "@/lib/testing/a-moment";
import { aNewCheck } from "@/lib/testing/store-contract-moves";
import { CLUSTER, commitMoves, targetOf } from "@/lib/testing/store-contract-record";
import { openDoors, type DoorSite } from "./door-site";
import { HOSTILE } from "./hostile";

const MIB = 1024 * 1024;
const text = (said: string): Uint8Array => new TextEncoder().encode(said);
/** What a host, or whoever has taken it over, may print where a version or a report is expected. */
const PRINTED: Readonly<Record<string, Uint8Array>> = {
  nothing: new Uint8Array(),
  "invalid UTF-8": Uint8Array.from([0x35, 0x37, 0x30, 0xff, 0xfe, 0xc3, 0x0a]),
  "a cut character": Uint8Array.from([0x35, 0x37, 0x30, 0xe2, 0x82]),
  "NULs alone": new Uint8Array(4096),
  "UTF-16": Uint8Array.from(Buffer.from("\ufeff570.172.08\n", "utf16le")),
  "a line of a MiB": new Uint8Array(MIB).fill(0x37),
  "2 MiB of lines": text("570.172.08\n".repeat((2 * MIB) / 11)),
  "16 MiB in one line": new Uint8Array(16 * MIB).fill(0x61),
  "a million empty lines": new Uint8Array(MIB).fill(0x0a),
  "carriage returns over the line": text("550.90.07\r570.172.08\n"),
  "ANSI around a version": text("\u001b[32m570.172.08\u001b[0m\n"),
  ...Object.fromEntries(Object.entries(HOSTILE).map(([name, said]) => [name, text(said)])),
};

let site: DoorSite;
let printed: Uint8Array = new Uint8Array();
let world: ClusterWorld;
let deps: Deps;
const endOf = (over: Partial<ShellEnd> = {}): ShellEnd => ({
  exitCode: 0,
  signal: null,
  stdout: printed,
  stderr: printed.subarray(0, MIB),
  truncated: false,
  startedAt: at(-2),
  endedAt: at(-1),
  ...over,
});
beforeAll(async () => {
  site = await openDoors();
  const shell: Partial<NodeShell> = {
    bootId: () => Promise.resolve(ok("2b7f4a6e-6c0f-4a3c-9d53-5e1c1a4b6f01")),
    run: (_host, _command, { maxBytes = MIB }) =>
      Promise.resolve(ok(endOf({ stdout: printed.subarray(0, maxBytes), truncated: printed.length > maxBytes }))),
    start: (_host, key) => Promise.resolve(ok({ folder: `/var/lib/clearance/${key}`, bootId: null, again: false })),
    poll: () => Promise.resolve(ok({ is: "ended" as const, ...endOf() })),
  };
  world = { shell: shell as NodeShell, scheduler: {} as ClusterWorld["scheduler"], metrics: null, rebootVia: "ssh", nodeLabel: null };
  deps = { ...site.deps, world: () => world };
}, 180_000);
afterAll(() => site.close());
beforeEach(() => {
  printed = new Uint8Array();
});

let nth = 0;
async function ran(request: CommandRequest): Promise<{ state: string; outcome: Record<string, unknown>; sha: string | null }> {
  nth += 1;
  const key = `CH-1/gpu001/${request.kind}.${nth}/1` as CommandKey;
  await commitMoves(site.record, [], {
    commands: [{ key, kind: request.kind, targetId: targetOf(1) as TargetId, generation: 1, deadlineAt: at(60), because: "", request }],
  });
  await runCommand(deps, { key, worker: "w1" });
  await observeWork(deps, world, CLUSTER);
  const [row] = await site.record.sql<{ state: string; outcome: Record<string, unknown>; sha: string | null }>(
    "select state, outcome, encode(evidence_sha, 'hex') as sha from commands where key = $1",
    [key],
  );
  if (row === undefined) throw new Error(`${key} is gone`);
  return row;
}

test.each(Object.keys(PRINTED))(
  "a host that prints %s names no version, and what it said is kept",
  async (name) => {
    printed = PRINTED[name] ?? printed;
    const probe = await ran({ kind: "probe", node: "gpu001", components: ["gpu_driver", "kernel"] });
    const before = await site.record.sql<{ kind: string; text: string | null }>(
      "select kind, text from observations where source = 'ssh' and component in ('gpu_driver', 'kernel') order by id desc limit 2",
    );
    const read = { name: "driver", component: "gpu_driver" as const, capability: "tested" as const, read: "cat /etc/version" };
    const saved = await ran({ kind: "save_versions", node: "gpu001", components: [read, { ...read, name: "own", read: null }] });
    expect([probe.state, saved.state]).toEqual(["succeeded", "succeeded"]);
    const plain = /^(SQL|HTML|prototype|constructor|shell|template|format|path)$/.test(name);
    // A line of plain characters is a version as far as anybody can tell: no plan aims at it, so it differs.
    if (!plain) {
      expect(before.map((row) => [row.kind, row.text])).toEqual([
        ["unreadable", null],
        ["unreadable", null],
      ]);
      expect(saved.outcome["saved"]).toMatchObject([{ version: null }, { version: null }]);
    }
    expect(JSON.stringify([probe.outcome, saved.outcome]).length).toBeLessThan(20_000);
    expect(site.broken).toEqual([]);
  },
  120_000,
);

test.each(Object.keys(PRINTED))(
  "a check whose tool prints %s never passes, and its output is kept whole",
  async (name) => {
    printed = PRINTED[name] ?? printed;
    for (const parser of printed.length > 4 * MIB ? ["nvidia-smi"] : ["nvidia-smi", "dcgm-diag", "nccl-tests"]) {
      const check = aNewCheck({ gate: "spot_validation", scope: "change", name: `${name} ${parser}`.replaceAll(" ", "-") });
      const run = await ran({
        kind: "start_run",
        node: "gpu001",
        nodes: ["gpu001"],
        checkId: check.id,
        job: null,
        run: "tool",
        on: "node",
        parser,
        timeoutMs: 60_000,
      });
      expect([run.state, run.outcome["exitCode"]]).toEqual(["succeeded", 0]);
      const named = { driver_version: { every: "570.172.08" } };
      const { judged } = judgeReading(Reading.parse(run.outcome["reading"]), null, null, null, { gpus: 8, named, exitCode: 0 });
      expect(judged.verdict, parser).not.toBe("pass");
      expect(JSON.stringify(run.outcome).length, parser).toBeLessThan(100_000);
      const raw = await site.ask("RB", "GET", `/evidence/${run.sha}`);
      expect([raw.status, raw.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
    }
    expect(site.broken).toEqual([]);
  },
  120_000,
);

test("the change is still shown whole, and the inventory round takes no version from such a host", async () => {
  printed = PRINTED["NULs alone"] ?? printed;
  await observeHosts(deps, world, CLUSTER);
  await observeHosts(deps, world, CLUSTER);
  const told = await site.ask("RB", "GET", "/changes/CH-1");
  expect([told.status, told.body["state"]]).toEqual([200, "PENDING"]);
  const rows = await site.record.sql<{ n: number }>(
    "select count(*)::int as n from observations where observer = 'inventory round' and kind = 'value'",
  );
  expect(rows[0]?.n).toBe(0);
}, 120_000);
