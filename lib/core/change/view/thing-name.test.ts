import { expect, test } from "vitest";

import { decidedOn, thingName } from "./thing-name";

const nothing = { checks: [], reports: [], findings: [], decisions: [], obligations: [], windows: [] };
const finding = {
  id: "f1",
  kind: "plan",
  on: "CH-1",
  because: "The batch size is 3: 3 leaves.",
  blocks: true,
  acceptedBy: "approver",
  openedAt: "2026-12-08T22:00:00Z",
  closedAt: null,
};

test("what an action is done to is named by what it is, not by its id", () => {
  const view = { ...nothing, findings: [finding] };
  expect(thingName(view, "accept-finding", "f1")).toBe("The batch size is 3: 3 leaves.");
  expect(decidedOn(view, "finding f1")).toBe('"The batch size is 3: 3 leaves."');
  expect(thingName(nothing, "start-batch", "4")).toBe("batch 4");
  expect(thingName(nothing, "withdraw-node", "gpu004")).toBe("gpu004");
  expect(decidedOn(nothing, "change CH-1")).toBe("change CH-1");
});
