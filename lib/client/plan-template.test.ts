import { expect, test } from "vitest";

import { readPlan } from "@/lib/core/plan/read-plan";
import { planTemplate } from "./plan-template";

test("the template is a plan without a fault", () => {
  const plan = readPlan(planTemplate({ cluster: "sim-h100", nodes: "gpu[001-128]", start: "2026-12-08T22:00", end: "2026-12-09T06:00" }));
  expect(plan).toMatchObject({ ok: true, value: { cluster: "sim-h100", batchSize: 4 } });
});
