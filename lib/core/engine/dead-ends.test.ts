import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextAction } from "@/lib/core/change/next-action";
import { permittedActions } from "@/lib/core/change/permitted-actions";
import { Policy } from "@/lib/core/change/policy";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { isInHand, NODE_STEPS, STEP_TRAITS, type NodeStep } from "@/lib/core/change/step";
import { aBatch } from "@/lib/testing/a-batch";
import { aDecision, aSignOff } from "@/lib/testing/a-decision";
import { aHold } from "@/lib/testing/a-hold";
import { NOW } from "@/lib/testing/a-moment";
import { aReportView } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { aTarget } from "@/lib/testing/a-target";
import { decide } from "./decide";

const policy = Policy.parse({});
const settled = NODE_STEPS.filter((step) => !isInHand(step));
/** What ends by itself or by somebody outside this change: a wait for one of these is no dead end. */
const ENDS_ELSEWHERE: ReadonlySet<string> = new Set(["window_closed", "window_too_short", "no_room", "other_change", "preflight_old"]);

const began = (step: NodeStep): boolean => STEP_TRAITS[step].touched;
const rejection = aDecision({ id: "d-rejection", kind: "rejection", on: { what: "report", id: "report-1" }, choice: "reject" });
const record: fc.Arbitrary<Snapshot> = fc
  .record({
    canary: fc.constantFrom(...settled),
    others: fc.array(fc.constantFrom(...settled), { minLength: 7, maxLength: 7 }),
    batches: fc.tuple(
      fc.constantFrom("waiting" as const, "running" as const, "succeeded" as const, "failed" as const, "decided" as const),
      fc.constantFrom("waiting" as const, "running" as const, "succeeded" as const, "failed" as const, "decided" as const),
    ),
    askedFor: fc.boolean(),
    advance: fc.constantFrom("manual" as const, "auto" as const),
    reported: fc.boolean(),
    decisions: fc.subarray([aSignOff(), rejection]),
    holds: fc.subarray([aHold(), aHold({ kind: "foreign_action", batch: 1 })]),
    read: fc.boolean(),
  })
  .map(({ canary, others, batches, askedFor, advance, reported, decisions, holds, read }) => {
    const steps = [canary, ...others];
    const targets = steps.map((step, i) => aTarget(i + 1, { step, updateBegan: began(step) }));
    const s = aSnapshot({
      change: { advance },
      targets,
      batches: batches.map((state, i) => aBatch(i + 1, { state, askedFor: askedFor || state !== "waiting" })),
      decisions: [aDecision(), ...decisions],
      holds,
      ...(reported ? { reports: [aReportView()] } : { reports: [] }),
    });
    return read ? s : { ...s, readings: [] };
  });

const moves = (s: Snapshot): boolean => {
  const ruling = decide(s, policy, NOW);
  return ruling.moves.length + ruling.commands.length > 0;
};

describe("no dead ends (R7.4)", () => {
  it(
    "what a person is to do next is an action that is permitted on that very thing",
    () =>
      fc.assert(
        fc.property(record, (s) => {
          const next = nextAction(s, policy, NOW);
          if (next.by !== "person") return;
          const state = permittedActions(s, policy, NOW).find((a) => a.action === next.action && a.on === next.on);
          expect(state?.permitted).toBe(true);
        }),
        { numRuns: 200 },
      ),
    60_000,
  );

  it(
    "with nothing in hand it is a person, or a worker that has something to do or waits for something that ends",
    () =>
      fc.assert(
        fc.property(record, (s) => {
          const next = nextAction(s, policy, NOW);
          if (next.by === "person" || moves(s)) return;
          expect(next.by).toBe("worker");
          if (next.by !== "worker") return;
          expect(next.waits.filter((w) => w.until !== null || ENDS_ELSEWHERE.has(w.because.code))).not.toEqual([]);
        }),
        { numRuns: 500 },
      ),
    60_000,
  );
});
