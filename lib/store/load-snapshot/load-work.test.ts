import { afterAll, beforeAll, expect, it } from "vitest";
import type { TargetId } from "@/lib/core/kernel/ids";
import { aNewCheck, stepsToAccepted } from "@/lib/testing/store-contract-moves";
import { aRecord, CHANGE, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";

let record: TestRecord;
beforeAll(async () => {
  record = await aRecord();
});
afterAll(() => record.close());

it("R11.5, R12: of an accepted node of a batch that is through, validations are still decided on, and the whole record keeps the rest", async () => {
  const targetId = targetOf(4) as TargetId;
  const own = aNewCheck({ targetId });
  const spot = aNewCheck({ targetId, gate: "spot_validation", scope: "change" });
  for (const move of stepsToAccepted(4)) expect(await commitMoves(record, [move])).toMatchObject({ ok: true });
  expect(
    await commitMoves(record, [
      { move: "check", check: own },
      { move: "check", check: spot },
    ]),
  ).toMatchObject({ ok: true });
  const s = await record.store.loadSnapshot(CHANGE);
  expect(s?.targets.find((t) => t.id === targetOf(4))).toMatchObject({ step: "accepted", role: "member" });
  const names = (checks: readonly { readonly id: string }[] | undefined) => checks?.map((c) => c.id).sort();
  expect(names(s?.checks)).toEqual([spot.id]);
  expect(names((await record.store.wholeEvidence(CHANGE)).checks)).toEqual([own.id, spot.id]);
});
