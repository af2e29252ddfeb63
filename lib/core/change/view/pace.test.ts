import { expect, it } from "vitest";
import type { TargetId } from "@/lib/core/kernel/ids";
import { aBatch } from "@/lib/testing/a-batch";
import { aCommand } from "@/lib/testing/a-command";
import { at, NOW } from "@/lib/testing/a-moment";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { paceOf } from "./pace";

const done = [1, 2];
/** Ten batches of two, two through; the window closes `minutes` from now, 5 min lie between batches, a driver takes 10 to 15 min. */
const aRollout = (minutes: number, begun = -60) => {
  const s = aSnapshot({
    batches: Array.from({ length: 10 }, (_, i) => aBatch(i + 1, { state: done.includes(i + 1) ? "succeeded" : "waiting" })),
    targets: Array.from({ length: 20 }, (_, i) =>
      aTarget(i + 1, { batch: Math.floor(i / 2) + 1, role: i === 0 ? "canary" : "member", step: i < 4 ? "accepted" : "waiting" }),
    ),
    windows: [{ id: "w", startsAt: at(begun), endsAt: at(minutes), timezone: "UTC" }],
  });
  return { ...s, plan: { ...s.plan, interBatchDelayMs: 5 * 60_000 } };
};
const commands = [
  aCommand(1, { targetId: "t1" as TargetId, startedAt: at(-600), finishedAt: at(-500) }),
  aCommand(2, { targetId: "t2" as TargetId, startedAt: at(-50), finishedAt: at(-37) }),
  aCommand(3, { targetId: "t3" as TargetId, startedAt: at(-30), finishedAt: at(-25) }),
  aCommand(4, { targetId: "t4" as TargetId, startedAt: at(-28), finishedAt: at(-19) }),
];

it("how many batches fit before the window closes, at the type's slow and fast pace, and when the rest would be through (R11.2)", () => {
  const pace = paceOf(aRollout(60), NOW, commands);
  // 8 left: 60 min hold three of 15 + 5, or four of 10 + 5.
  expect(pace).toMatchObject({
    left: { batches: 8, nodes: 16 },
    fits: { least: 3, most: 4 },
    finish: { earliest: at(8 * 10 + 7 * 5).toISOString(), latest: at(8 * 15 + 7 * 5).toISOString() },
    sentence:
      "At this pace 4 to 5 of 8 batches (8 to 10 nodes) do not fit into this window and need another. The rollout stops between batches, never inside one.",
  });
});

it("measured is what the batches took, the canary's long way to its sign-off apart", () => {
  expect(paceOf(aRollout(60), NOW, commands)).toMatchObject({
    perBatch: { minMinutes: 10, maxMinutes: 15, measuredMinutes: 12 },
    spans: [
      { batch: 1, from: at(-50).toISOString(), to: at(-37).toISOString() },
      { batch: 2, from: at(-30).toISOString(), to: at(-19).toISOString() },
    ],
  });
  expect(paceOf(aRollout(60), NOW, [])?.perBatch.measuredMinutes).toBeNull();
});

it("a window that has not begun counts from its start, one that is over holds nothing, none is no pace", () => {
  expect(paceOf(aRollout(700, 500), NOW, [])).toMatchObject({
    fits: { least: 8, most: 8 },
    finish: { earliest: at(500 + 115).toISOString() },
  });
  expect(paceOf(aRollout(-10), NOW, [])).toMatchObject({ fits: { least: 0, most: 0 } });
  expect(paceOf({ ...aRollout(60), windows: [] }, NOW, [])).toBeNull();
});
