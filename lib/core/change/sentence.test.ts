import { describe, expect, it } from "vitest";
import { at } from "@/lib/testing/a-moment";
import { AK } from "@/lib/testing/a-person";
import type { CheckId } from "@/lib/core/kernel/ids";
import type { Reason } from "./reason";
import { sentence } from "./sentence";
import { NEXT_STATES } from "./state";

const names = { person: () => "Anna Krol" };
describe("reasons in words: the thing and the next step", () => {
  const rows: readonly [Reason, string][] = [
    [{ code: "window_closed", opensAt: null }, "No booked window is open and none is coming: book one."],
    [
      { code: "window_too_short", needMs: 900_000, leftMs: 600_000 },
      "10m of the window are left and 15m are needed: book a longer window.",
    ],
    [{ code: "batch_undecided", batch: 5 }, "Batch 5 is undecided: decide on its nodes first."],
    [
      { code: "own_work", personId: AK, did: "wrote" },
      "Anna Krol wrote the plan and cannot approve, sign or waive it: somebody else has to.",
    ],
    [
      {
        code: "jobs_running",
        on: "gpu014",
        jobs: [
          { id: "1001", user: "mchen", endsAt: at(60) },
          { id: "1002", user: "ali", endsAt: "no_limit" },
        ],
      },
      "2 jobs run on gpu014 (1001 of mchen until 2026-12-09 00:00 UTC at most; 1002 of ali without a time limit): wait, ask the user to checkpoint, defer the node or withdraw it.",
    ],
    [
      { code: "no_room", limit: "total", allowed: 2, unit: "nodes", takenBy: ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"] },
      "No room: 2 nodes of the cluster may be out, taken by a1, a2, a3, a4, a5, a6 and 2 more.",
    ],
    [
      { code: "check_failed", checkId: "c" as CheckId, name: "driver version", on: "gpu001", because: "550.90.07" },
      'Check "driver version" on gpu001 failed: 550.90.07. A failure cannot be waived.',
    ],
    [{ code: "not_yet", what: "gpu005 is out", next: "release it" }, "gpu005 is out. Release it."],
    [{ code: "post", needs: "decision_owner", people: [] }, "Only the decision owner may do this, and nobody is named."],
  ];
  it.each(rows)("%o", (reason, text) => expect(sentence(reason, names)).toBe(text));
});

it("both last states are final, and ROLLBACK always leads back (R7.2)", () => {
  expect([NEXT_STATES.COMPLETED, NEXT_STATES.DEGRADED]).toEqual([[], []]);
  expect(NEXT_STATES.ROLLBACK).toEqual(["IN_PROGRESS"]);
});
