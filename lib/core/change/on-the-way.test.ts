import { expect, test } from "vitest";
import { isAhead, isOnTheWay } from "./on-the-way";

test("a closed step stands in the list while its gate is ahead; what is passed, and answers that nothing asks for, fold", () => {
  const gates = [
    { gate: "plan_approval", is: "done" },
    { gate: "batches", is: "open" },
    { gate: "close", is: "later" },
    { gate: "spot_validation", is: "not_applicable" },
  ];
  const ahead = ["approve-plan", "start-batch", "close", "run-spot-validation", "waive", "withdraw"].filter((action) =>
    isAhead({ action }, gates),
  );
  expect(ahead).toEqual(["start-batch", "close"]);
  expect(["approve-plan", "waive", "withdraw"].filter((action) => isOnTheWay({ action }, gates))).toEqual(["waive"]);
});
