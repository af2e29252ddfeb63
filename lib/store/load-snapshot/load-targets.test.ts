import { afterAll, beforeAll, expect, it } from "vitest";
import type { CommandKind } from "@/lib/core/change/command";
import type { CommandRequest } from "@/lib/core/change/command-request";
import type { Move } from "@/lib/core/change/move";
import type { NodeStep } from "@/lib/core/change/step";
import type { CommandKey, TargetId } from "@/lib/core/kernel/ids";
import type { NewObservation } from "@/lib/ports/store";
import { at } from "@/lib/testing/a-moment";
import { aRecord, CHANGE, CLUSTER, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

const GOAL = "570.172.08";
const OLD = "550.90.07";
const REQUESTS = {
  check_health: { kind: "check_health", node: "gpu004", expectGpus: 8 },
  drain: { kind: "drain", node: "gpu004", reason: "clearance:CH-1/gpu004" },
} as const satisfies Partial<Record<CommandKind, CommandRequest>>;

/** One command of a pass over gpu004, begun at that minute. */
async function begun(kind: keyof typeof REQUESTS, generation: number, minute: number): Promise<void> {
  const key = `${CHANGE}/gpu004/${kind}/${generation}` as CommandKey;
  const request = REQUESTS[kind];
  await commitMoves(record, [], {
    commands: [{ key, kind, targetId: targetOf(4) as TargetId, generation, deadlineAt: at(600), because: "", request }],
  });
  await record.store.claimCommand(key, "w1", at(minute));
}

/** What the host was read to run at that minute. */
async function runs(version: string, minute: number): Promise<void> {
  const subject = (await record.store.subjects(CLUSTER)).find((s) => s.name === "gpu004");
  const observations = (["gpu_driver", "gpu_driver_library"] as const).map((component): NewObservation => ({
    subjectId: subject?.subjectId ?? (0 as never),
    field: "host_report",
    component,
    source: "ssh",
    kind: "value",
    text: version,
    value: version,
    hostEpoch: 0,
    modelEpoch: 0,
    observedAt: at(minute),
    request: "cat /sys/module/nvidia/version",
    observer: "w",
    evidenceSha: null,
    changeId: CHANGE,
  }));
  const read = { clusterId: CLUSTER, source: "slurm", startedAt: at(minute), complete: false, listed: 1, evidence: [], boots: [] };
  await record.store.recordRead({ ...read, observations, nextInMs: 0 });
}

async function goes(steps: readonly NodeStep[], more: { readonly aim: "goal" | "prior"; readonly generation: number }): Promise<void> {
  for (const [i, to] of steps.slice(1).entries()) {
    const move: Move = {
      move: "target",
      id: targetOf(4) as TargetId,
      from: steps[i] ?? "waiting",
      to,
      stage: 0,
      deadlineAt: null,
      because: "next",
      ...more,
    };
    expect(await commitMoves(record, [move])).toMatchObject({ ok: true });
  }
}

/** The host's version as the board shows it from before the pass. */
async function before(): Promise<unknown> {
  const s = await record.store.loadSnapshot(CHANGE);
  const match = s?.targets.find((t) => t.id === targetOf(4))?.board?.before?.host_report;
  return match !== undefined && match.verdict !== "not_applicable" && match.known.is === "value" ? match.known.value : match;
}

it("R1.2, R8.3: going back is compared with what was there before this change, also in a second try; a new pass for the goal with what it began with", async () => {
  await runs(OLD, 1);
  await begun("check_health", 1, 2);
  await begun("drain", 1, 3);
  await goes(["waiting", "checking", "saving", "protecting", "draining", "updating", "observing", "validating"], {
    aim: "goal",
    generation: 1,
  });
  await runs(GOAL, 10);
  expect(await before()).toBe(OLD);

  await goes(["validating", "returning", "accepted"], { aim: "goal", generation: 1 });
  // An accepted node works: going back it is drained again, in a pass without a health check of its own.
  await goes(["accepted", "rolling_back"], { aim: "prior", generation: 2 });
  await begun("drain", 2, 20);
  expect(await before()).toBe(OLD);
  await goes(["rolling_back", "rolling_back"], { aim: "prior", generation: 3 });
  expect(await before()).toBe(OLD);

  await runs("550.90.12", 30);
  await goes(["rolling_back", "observing", "validating", "returning", "rolled_back"], { aim: "prior", generation: 3 });
  await goes(["rolled_back", "waiting", "checking", "saving", "protecting", "draining"], { aim: "goal", generation: 4 });
  await begun("check_health", 4, 40);
  await begun("drain", 4, 41);
  expect(await before()).toBe("550.90.12");
});
