import { expect, test } from "vitest";

import { ActionRequest } from "@/lib/core/change/action-request";
import { ACTION_FORMS, formOf } from "./action-forms";
import { readActionForm } from "./read-action-form";

const filled = (fields: Record<string, string | string[]>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  return form;
};
const WHY = { reason: "as discussed" };

test.each([
  ["narrow", { batchSize: "2", interBatchDelay: "10m", order: "4, 3", limits: "busbw = > 95%", ...WHY }],
  ["split-class", { on: "h100-8", part: "old boards", nodes: "gpu[001-003]", ...WHY }],
  ["merge-classes", { on: "h100-8", classes: "h100-8/a h100-8/b", ...WHY }],
  ["lock-job", { "job/h100-8": "nccl@3", "baseline/h100-8": "capture" }],
  ["link-rehearsal", { rehearsal: "CH-12", kind: "failure" }],
  ["approve-plan", { accepts: ["f1", "f2"], standing: "on", until: "2026-12-09T06:00", ...WHY }],
  ["book-window", { start: "2026-12-08T22:00", end: "2026-12-09T06:00", timezone: "Europe/Berlin" }],
  ["waive", { on: "check-1", until: "2026-12-09T06:00", ...WHY }],
  ["judge", { on: "check-1", choice: "accept", ...WHY }],
  ["sign-off", { on: "report-1", acknowledges: ["w1"], ...WHY }],
  ["decide", { on: "3", choice: "go_on", earlier: "keep", ...WHY }],
  ["decide-drain", { on: "gpu001", choice: "wait", ...WHY }],
  ["release-node", { on: "gpu001", owner: "LT", ticket: "INC1", ...WHY }],
  ["assign-investigator", { on: "gpu001", to: "LT" }],
  ["grant-relaxation", { what: "maxNodesPerLeaf", value: "2", until: "2026-12-09T06:00", ...WHY }],
  ["close", { out: "gpu001, LT, INC1, memory was replaced\n" }],
  ["edit-plan", { yaml: "apiVersion: clearance/v1", version: "7" }],
] as const)("the form of %s makes a request that the API takes", (action, fields) => {
  const read = readActionForm(ACTION_FORMS[action].fields, filled(fields as unknown as Record<string, string>));
  expect(read.ok && ActionRequest.parse({ action, ...read.value })).toMatchObject({ action });
});

test.each([
  ["narrow", { interBatchDelay: "soon", ...WHY }, 'Delay between batches: "soon" is not a duration such as 90s, 5m or 1h30m'],
  [
    "split-class",
    { on: "c", part: "p", nodes: "gpu[1-", ...WHY },
    'Its nodes: "gpu[1-" is not a list of nodes such as gpu[001-004],gpu009',
  ],
  ["close", { out: "gpu001 only" }, 'Nodes that stay out: line 1 is not "node, owner, ticket, reason"'],
  ["lock-job", { "job/h100-8": "", "baseline/h100-8": "capture" }, "Job and baseline per class: choose a job for h100-8"],
  ["waive", { on: "c", until: "tomorrow", ...WHY }, 'Until (UTC): "tomorrow" is not a moment such as 2026-12-08T22:00'],
] as const)("what cannot be understood in %s is named by its label", (action, fields, fault) => {
  const read = readActionForm(ACTION_FORMS[action].fields, filled(fields as unknown as Record<string, string>));
  expect(read).toEqual({ ok: false, error: [fault] });
});

test("every action of the request schema has a form", () => {
  const names = ActionRequest.options.map((option) => option.shape.action.value);
  expect(names.filter((name) => formOf(name) === null)).toEqual([]);
});
