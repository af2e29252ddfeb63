import { expect, it } from "vitest";
import type { CommandKey } from "@/lib/core/kernel/ids";
import { ok } from "@/lib/core/kernel/result";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { Deps } from "./deps";
import { runCommand } from "./run-command";

const KEY = "CH-101/gpu001/drain/1" as CommandKey;
const REASON = "clearance:CH-101/gpu001";

/** A worker that is stopped while it waits for the scheduler's answer; `takenOver`: what has happened when it goes on. */
async function drainAfter(takenOver: boolean): Promise<string[]> {
  const asked: string[] = [];
  const node = { name: "gpu001", state: "in_service", reason: null as string | null, words: ["IDLE"], raw: "{}", gpus: 8 };
  const command = { key: KEY, clusterId: "sim", attempt: 1, handle: null, request: { kind: "drain", node: "gpu001", reason: REASON } };
  const scheduler = {
    readNode: async () => ok({ ...node }),
    drain: async (name: string, reason: string) => {
      asked.push(`drain ${name}`);
      Object.assign(node, { state: "drained", reason });
      return ok(undefined);
    },
  };
  const store = {
    claimCommand: async () => command as unknown as ClaimedCommand,
    ownsCommand: async () => !takenOver,
    finishCommand: async () => (takenOver ? "late" : "recorded"),
  };
  const deps = {
    store,
    clock: { now: async () => new Date(0) },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    hash: { text: () => "0".repeat(64), bytes: () => "0".repeat(64) },
    world: () => ({ scheduler }),
  };
  await runCommand(deps as unknown as Deps, { key: KEY, worker: "w1" });
  return asked;
}

it("a worker that was declared dead and goes on after it read the node does not drain it: it may be back in service by now", async () => {
  expect(await drainAfter(true)).toEqual([]);
});

it("a worker that still owns its command drains", async () => {
  expect(await drainAfter(false)).toEqual(["drain gpu001"]);
});

it("R9.4: a record that is away in the middle of a command is no answer of the world: nothing is done or recorded, the command is begun again", async () => {
  const done: string[] = [];
  const node = { name: "gpu001", state: "in_service", reason: null, words: ["IDLE"], raw: "{}", gpus: 8 };
  const command = { key: KEY, clusterId: "sim", attempt: 1, handle: null, request: { kind: "drain", node: "gpu001", reason: REASON } };
  const deps = {
    store: {
      claimCommand: async () => command as unknown as ClaimedCommand,
      ownsCommand: () => Promise.reject(new Error("connect ECONNREFUSED")),
      finishCommand: async () => void done.push("recorded"),
    },
    clock: { now: async () => new Date(0) },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    hash: { text: () => "0".repeat(64), bytes: () => "0".repeat(64) },
    world: () => ({ scheduler: { readNode: async () => ok({ ...node }), drain: async () => ok(void done.push("drained")) } }),
  };
  await expect(runCommand(deps as unknown as Deps, { key: KEY, worker: "w1" })).rejects.toThrow("the record did not answer");
  expect(done).toEqual([]);
});
