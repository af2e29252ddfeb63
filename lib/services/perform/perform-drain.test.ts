import { expect, it } from "vitest";
import { ok } from "@/lib/core/kernel/result";
import type { ClusterWorld } from "../deps";
import { performDrain } from "./perform-drain";

const OURS = "clearance:CH-1/gpu001";
const THEIRS = "fan noise, ticket 200";

/** Drains a node that has this reason, by a decision about `agreed`; how it ended and what the node says then. */
async function drained(reason: string, agreed: string | null): Promise<unknown> {
  const node = { name: "gpu001", state: "drained", reason, words: ["IDLE", "DRAIN"], raw: "{}" };
  const scheduler = {
    readNode: async () => ok({ ...node }),
    drain: async (_name: string, told: string) => {
      node.reason = told;
      return ok(undefined);
    },
  };
  const hash = { text: () => "0".repeat(64), bytes: () => "0".repeat(64) };
  const part = { world: { scheduler } as unknown as ClusterWorld, hash: hash as never };
  const takesOver = agreed === null ? {} : { takesOver: { reason: agreed, decisionId: "d-1" } };
  const ended = await performDrain(part, { kind: "drain", node: "gpu001", reason: OURS, ...takesOver });
  return [(ended as { outcome?: { result: string } }).outcome?.result, node.reason];
}

it.each([
  ["no decision", THEIRS, null, "failed", THEIRS],
  ["a decision about another reason", "water in rack 4", THEIRS, "failed", "water in rack 4"],
  ["a decision about it", THEIRS, THEIRS, "done", OURS],
  ["a decision about it, and the scheduler appended to it", `${THEIRS} : reboot complete`, THEIRS, "done", OURS],
  ["ours already", OURS, THEIRS, "already", OURS],
])("R9.2: somebody else's drain with %s", async (_says, reason, agreed, result, then) => {
  expect(await drained(reason, agreed)).toEqual([result, then]);
});
