import { expect, it } from "vitest";
import { ok } from "@/lib/core/kernel/result";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { ClusterWorld } from "../deps";
import { performReboot } from "./perform-long";

async function orderedWith(reason: string | null): Promise<unknown> {
  const ordered: unknown[] = [];
  const scheduler = {
    readNode: async () => ok({ state: "drained", words: ["IDLE", "DRAIN"], reason }),
    reboot: async (...asked: unknown[]) => {
      ordered.push(asked);
      return ok(undefined);
    },
  };
  const world = { scheduler, rebootVia: "scheduler", shell: { bootId: async () => ok("boot-1") } } as unknown as ClusterWorld;
  const request = { kind: "reboot" as const, node: "gpu001", bootedBefore: null };
  const command = { key: "CH-1/gpu001/reboot/1", handle: null, request } as unknown as ClaimedCommand;
  expect(await performReboot({ world, storeHandle: async () => "stored" }, command, request)).toMatchObject({ is: "started" });
  return ordered;
}

it.each(["clearance:CH-1/gpu001", "fan noise, ticket 200 : reboot issued", null])(
  "R9.2: the reboot of a node that is drained for %j tells the scheduler that reason again, whoever wrote it",
  async (reason) => {
    expect(await orderedWith(reason)).toEqual([["gpu001", reason]]);
  },
);
