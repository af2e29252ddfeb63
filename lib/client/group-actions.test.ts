import { expect, test } from "vitest";

import { groupActions, type PersonalAction } from "./group-actions";

const one = (action: string, on: string | null, more: Partial<PersonalAction> = {}): PersonalAction => ({
  action,
  on,
  permitted: true,
  because: [],
  people: ["AK"],
  by: ["operator"],
  notYours: null,
  ...more,
});

test("an action stands once for all it may be done to, the next one first, and nothing is left out (R7.4)", () => {
  const rows = groupActions(
    [
      one("defer-node", "gpu001"),
      one("defer-node", "gpu002"),
      one("start-batch", "2"),
      one("waive", "c1", { notYours: "Only an approver may do this." }),
      one("close", null, { permitted: false, because: ["Not yet."] }),
      one("retry-node", "gpu001", { permitted: false, because: ["A."] }),
      one("retry-node", "gpu002", { permitted: false, because: ["B."] }),
    ],
    "start-batch",
  );
  expect(rows.open.map(({ action, ons }) => [action, ons])).toEqual([
    ["start-batch", ["2"]],
    ["defer-node", ["gpu001", "gpu002"]],
  ]);
  expect(rows.others.map(({ action, because }) => [action, because])).toEqual([["waive", ["Only an approver may do this."]]]);
  expect(rows.closed.map(({ action, ons, because }) => [action, ons, because])).toEqual([
    ["close", [null], ["Not yet."]],
    ["retry-node", ["gpu001"], ["A."]],
    ["retry-node", ["gpu002"], ["B."]],
  ]);
});
